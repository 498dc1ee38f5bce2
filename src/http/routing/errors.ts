/** What the framework throws where no route fits, and where a query or a parameter breaks its schema. */
export { NotFoundError, ValidationError } from "elysia";
