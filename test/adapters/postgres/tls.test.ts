import { afterAll, beforeAll, describe, expect, test } from "bun:test";
