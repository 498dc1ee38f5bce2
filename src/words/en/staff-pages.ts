import { admin } from "./pages/admin.ts";
import { records } from "./pages/records.ts";
import { skin } from "./pages/skin.ts";
import { setup } from "./pages/setup.ts";
import { staff } from "./pages/staff.ts";
import { grants } from "./pages/grants.ts";
import { findings } from "./pages/findings.ts";

/** Areas that only pages for staff have. The first such page loads them. */
export const staffPages = {
  admin,
  records,
  skin,
  setup,
  staff,
  grants,
  findings,
};

export type StaffWords = typeof staffPages;
