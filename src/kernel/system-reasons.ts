/** Error codes of the operating system that an operator can act on, in words. */
export const systemReasons: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  ENOTDIR: "a part of its path is no folder",
  EEXIST: "there is a file of that name",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "it is a folder",
  EROFS: "the disk is read-only",
  ENOSPC: "no space left on the disk",
};
