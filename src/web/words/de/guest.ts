export const guest = {
  signIn: "Sign in",
  login: "Username or e-mail",
  password: "Password",
  stay: "Stay signed in",
};
