import type { Model } from "../../render/parts.ts";
import { words } from "../words/language.ts";
import { Radios } from "./form.tsx";

type ArmsProps = {
  readonly name: string;
  readonly value: Model;
  readonly onChange?: (model: Model) => void;
};

/** The choice of a skin's arms. */
export function Arms({ name, value, onChange }: ArmsProps) {
  const { home } = words.value;
  return (
    <Radios
      label={home.arms}
      name={name}
      value={value}
      options={[
        { value: "classic", text: home.models.classic },
        { value: "slim", text: home.models.slim },
      ]}
      {...(onChange && { onChange: (chosen) => onChange(chosen === "slim" ? "slim" : "classic") })}
    />
  );
}
