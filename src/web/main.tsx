const root = document.getElementById("app");
if (root !== null) root.textContent = document.title;
