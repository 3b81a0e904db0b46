namespace CamCube.Services.KeyValue.Redis.Protocol;

/// <summary>Errors in Redis' own words, which clients and their tests look for.</summary>
internal static class Errors
{
    public const string Syntax = "ERR syntax error";
    public const string NoInteger = "ERR value is not an integer or out of range";
    public const string NoFloat = "ERR value is not a valid float";
    public const string NoNumberMade = "ERR increment would produce NaN or Infinity";
    public const string Overflow = "ERR increment or decrement would overflow";
    public const string NoKey = "ERR no such key";
    public const string TooLong = "ERR string exceeds maximum allowed size (proto-max-bulk-len)";
    public const string TooLongTogether =
        "ERR several keys change at once only with values up to 64 KiB, and as many as the store's BatchSteps and "
        + "BatchBytes allow; nothing was changed";
    public const string OffsetRange = "ERR offset is out of range";
    public const string BitOffset = "ERR bit offset is not an integer or out of range";
    public const string NoBit = "ERR bit is not an integer or out of range";
    public const string NoDatabase = "ERR DB index is out of range";
    public const string CrossSlot = "CROSSSLOT Keys in request don't hash to the same slot";
    public const string NoAuth = "NOAUTH Authentication required.";
    public const string WrongPassword = "WRONGPASS invalid username-password pair or user is disabled.";
    public const string ExecAbort = "EXECABORT Transaction discarded because of previous errors.";
    public const string TryAgain = "TRYAGAIN others change this key all the time; nothing was done";
    public const string Unknown = "UNKNOWN whether the change was made cannot be said: once, or never, perhaps later";
    public const string Unavailable =
        "UNAVAILABLE too few of the servers that have this key can be reached; nothing was changed";
    public const string DataAway = "DATAAWAY the key exists, and no server that has its value answers";
    public const string Full =
        "OOM there is no room for it, on a disk or in this server's memory (setting MaxBufferedBytes); "
        + "nothing was changed";
    public const string NoMemory =
        "OOM this server has no memory for this request or its answer now (setting MaxBufferedBytes)";
    public const string LongAnswer = "ERR the answer is longer than MaxAnswerLength allows; nothing was changed";
    public const string BadKey = "ERR a key has 1 to 65,535 bytes";
    public const string NotRunning = "LOADING the key-value store does not run on this server";
    public const string Failed = "ERR the command failed inside this server, whose log says why";

    /// <summary>What becomes of a status that is no answer.</summary>
    public static string Of(KeyValueStatus status) =>
        status switch
        {
            KeyValueStatus.TooLarge => TooLong,
            KeyValueStatus.Full => Full,
            KeyValueStatus.Unavailable => Unavailable,
            KeyValueStatus.DataAway => DataAway,
            KeyValueStatus.Unknown => Unknown,
            KeyValueStatus.CrossGroup => CrossSlot,
            KeyValueStatus.BadKey => BadKey,
            KeyValueStatus.NotANumber => NoInteger,
            KeyValueStatus.Overflow => Overflow,
            _ => Failed,
        };

    /// <summary>An expiry that is none.</summary>
    public static string Expiry(string command) => $"ERR invalid expire time in '{command}' command";

    /// <summary>More keys than are looked at together.</summary>
    public static string ManyTogether(int most) =>
        $"ERR a command or transaction may be about {most} keys together (setting MaxTogether); nothing was changed";

    /// <summary>Too few arguments, or too many.</summary>
    public static string Arity(string command) => $"ERR wrong number of arguments for '{command}' command";
}
