import { AppError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { sizeText } from "../../kernel/size-text.ts";
import type { StagedFolder } from "../ports/backup-ports.ts";

/** File systems allocate full blocks, which for skins of some hundred bytes is most of their size on disk. */
const blockBytes = 4096;

/** Adds up the space that files need on the staged folder's disk. */
export type Room = {
  /** Adds a file. Fails with no_space once even the empty disk could not hold all files. */
  readonly add: (bytes: number) => void;
  /** Fails with no_space unless all files fit; the message names the needed and the free space. */
  readonly refuseTooLittle: () => void;
};

/** Measures the free space now. It is unlimited where the file system does not report it. */
export async function measureRoom(staging: Pick<StagedFolder, "space">): Promise<Room> {
  const { free, size } = (await staging.space()) ?? { free: Infinity, size: Infinity };
  let needed = 0;
  const refuse = (atLeast: string): never => {
    throw new AppError(
      "no_space",
      `unpacked it takes ${atLeast}${sizeText(needed)}, and ${sizeText(limits.diskBytesFreeMin)} must stay free:` +
        ` ${sizeText(free)} are free on the data folder's disk. Make room, or set DATA_DIR to a larger disk`,
    );
  };
  return {
    add: (bytes) => {
      needed += Math.ceil(bytes / blockBytes) * blockBytes;
      // Stops reading an archive that was made to fill disks.
      if (needed > size) refuse("at least ");
    },
    refuseTooLittle: () => {
      if (needed + limits.diskBytesFreeMin > free) refuse("");
    },
  };
}
