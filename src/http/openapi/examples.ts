/** The values of the document's examples: one story, so that what one answer gives another request takes. */
export const examples = {
  mail: "anna@example.org",
  name: "Anna",
  password: "correct horse battery",
  newPassword: "staple battery horse",
  code: "7K3QX-M2D9A",
  jwt: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI4ZjJlNGMxYSJ9.pR1c0mZt2v",
  user: "8f2e4c1a-5b7d-4e3f-9a60-1c2d3e4f5a6b",
  session: "c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f",
  skin: "5f0c1f3e-9d4a-4c52-8f7e-0a6b2d9c4e11",
  cape: "b7a9d3c2-1e4f-4a68-9b5d-7c8e0f1a2b3d",
  texture: "9d7a3e5b1c8f0a2d4e6b8c0f1a3d5e7b9c1f3a5d7e9b0c2f4a6d8e0b1c3f5a7d",
  digest: "2f4b6d8e0a1c3e5f7b9d0f2a4c6e8b0d1f3a5c7e9b1d3f5a7c9e0b2d4f6a8c0e",
  time: 1_767_225_600,
} as const;
