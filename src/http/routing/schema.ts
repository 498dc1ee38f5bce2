/**
 * The builder of schemas for requests and answers: TypeBox's, with what the framework adds for forms
 * (`t.File`).
 */
export { t } from "elysia";
