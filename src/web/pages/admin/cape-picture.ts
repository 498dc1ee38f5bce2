import { useEffect, useState } from "preact/hooks";
import { findCapeForm, type Measure } from "../../../render/cape-forms.ts";
import { community } from "../../api/community.ts";
import { refusal, type Problem } from "../../api/problem.ts";
import { measureOfPng } from "../../parts/png-file.ts";
import { showBytes } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";

/** A file for a new cape: its picture, and why the server would refuse it. */
export type CapePicture = {
  /** The picture's address on this page; null if the file is no picture. */
  readonly url: string | null;
  readonly problem: Problem | null;
};

/** Examines a file before anything is sent. */
export function useCapePicture(file: File): CapePicture {
  const [picture, setPicture] = useState<CapePicture>({ url: null, problem: null });
  useEffect(() => {
    const url = URL.createObjectURL(file);
    let isGone = false;
    const look = async () => {
      const measure = await measureOf(file);
      if (!isGone) setPicture({ url: measure === null ? null : url, problem: problemOf(file, measure) });
    };
    void look();
    return () => {
      isGone = true;
      URL.revokeObjectURL(url);
    };
  }, [file]);
  return picture;
}

function problemOf(file: File, measure: Measure | null): Problem | null {
  const { admin } = words.peek();
  const { skin_bytes_max: bytesMax } = community.rules;
  if (measure === null) return refusal(admin.noPicture);
  if (file.size > bytesMax) return refusal(admin.capeTooLarge(showBytes(bytesMax)));
  return findCapeForm(measure) === null ? refusal(admin.wrongMeasure(measure.width, measure.height)) : null;
}

/** Null if the file is no PNG or cannot be decoded. */
async function measureOf(file: File): Promise<Measure | null> {
  const measure = await measureOfPng(file);
  if (measure === null) return null;
  try {
    (await createImageBitmap(file)).close();
    return measure;
  } catch {
    return null;
  }
}
