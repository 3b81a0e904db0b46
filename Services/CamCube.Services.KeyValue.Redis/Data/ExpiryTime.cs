using CamCube.Services.KeyValue.Redis.Protocol;

namespace CamCube.Services.KeyValue.Redis.Data;

/// <summary>Times as commands name them: EX and PX from now on, EXAT and PXAT since 1970. Pure.</summary>
internal static class ExpiryTime
{
    // As Redis: what would not fit in 64 bits of milliseconds is refused. Longer than a TimeSpan is for ever, 29,000
    // years on.
    private static readonly long Longest = (long)TimeSpan.MaxValue.TotalMilliseconds;

    /// <summary>Whether an argument says in which unit a time follows.</summary>
    public static bool IsUnit(DataCall call, int index) =>
        call.Is(index, "ex"u8) || call.Is(index, "px"u8) || call.Is(index, "exat"u8) || call.Is(index, "pxat"u8);

    /// <summary>Reads such a unit and the time behind it, of a command that takes no time of 0 or less.</summary>
    public static bool TryRead(DataCall call, int index, out TimeSpan left, out bool isPast, out string error)
    {
        (left, isPast) = (default, false);
        error = Errors.NoInteger;
        if (!DataCall.TryRead(call[index + 1], out long time))
        {
            return false;
        }

        bool isMillis = call[index][0] is (byte)'P' or (byte)'p';
        bool isAt = call[index].Length == 4;
        if (time > 0 && TryFrom(time, isMillis, isAt, call.NowMillis, out left, out isPast))
        {
            return true;
        }

        error = Errors.Expiry(call.Name);
        return false;
    }

    /// <summary>How long it is until a time.</summary>
    /// <param name="time">The time.</param>
    /// <param name="isMillis">In milliseconds, else in seconds.</param>
    /// <param name="isAt">Since 1970, else from now on.</param>
    /// <param name="nowMillis">Now, since 1970.</param>
    /// <param name="left">How long, at least 1 ms.</param>
    /// <param name="isPast">It is over.</param>
    /// <returns>False: it does not fit.</returns>
    public static bool TryFrom(long time, bool isMillis, bool isAt, long nowMillis, out TimeSpan left, out bool isPast)
    {
        (left, isPast) = (default, false);
        Int128 millis = isMillis ? time : (Int128)time * 1_000;
        Int128 at = isAt ? millis : millis + nowMillis;
        if (at > long.MaxValue || at < long.MinValue || millis > long.MaxValue || millis < long.MinValue)
        {
            return false;
        }

        Int128 rest = at - nowMillis;
        isPast = rest <= 0;
        left = TimeSpan.FromMilliseconds((long)Int128.Clamp(rest, 1, Longest));
        return true;
    }
}
