// Values of libraries that programs put into calls: dates, ids, documents, numbers. Each is made anew for each call.

import { LocalDateTime, ZonedDateTime, ZoneId } from "@js-joda/core";
import { ObjectId } from "bson";
import dayjs from "dayjs";
import { Decimal } from "decimal.js";
import { List, Map as ImmutableMap } from "immutable";
import { DateTime, Duration } from "luxon";
import moment from "moment";
import mongoose from "mongoose";

const AT = "2026-01-30T12:00:00.000Z";

const Plan = mongoose.model("Plan", new mongoose.Schema({ plan: String, seats: Number, at: Date }, { _id: false }));

/** By the words of a test: makes the value. */
export const LIBRARY_VALUES = {
  "a moment": () => moment.utc(AT),
  "an invalid moment": () => moment("no date", moment.ISO_8601),
  "a dayjs": () => dayjs(AT),
  "an invalid dayjs": () => dayjs("no date"),
  "a DateTime of luxon": () => DateTime.fromISO(AT, { zone: "utc" }),
  "an invalid DateTime of luxon": () => DateTime.invalid("no date"),
  "a DateTime of luxon with an offset": () => DateTime.fromISO(AT, { zone: "UTC+2" }),
  "a Duration of luxon": () => Duration.fromObject({ hours: 1 }),
  "a LocalDateTime of js-joda": () => LocalDateTime.parse("2026-01-30T12:00"),
  "a ZonedDateTime of js-joda": () => ZonedDateTime.of(LocalDateTime.parse("2026-01-30T12:00"), ZoneId.UTC),
  "an ObjectId": () => new ObjectId("507f1f77bcf86cd799439011"),
  "a Decimal": () => new Decimal("1.5"),
  "a document of mongoose": () => new Plan({ plan: "pro", seats: 3, at: new Date(AT) }),
  "a Map of immutable": () => ImmutableMap({ plan: "pro" }),
  "a List of immutable": () => List([1, 2]),
};
