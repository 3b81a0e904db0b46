namespace CamCube.Services.Diagnostics;

/// <summary>How a trace ended, and what servers did with it, as words of <see cref="TraceResult"/>.</summary>
internal static class TraceEnds
{
    /// <summary>What is behind the last server gave no answer.</summary>
    public const string NoAnswer = "noAnswer";

    /// <summary>The last server knows no way.</summary>
    public const string NoRoute = "noRoute";

    /// <summary>More hops than it might make.</summary>
    public const string TooLong = "tooLong";

    /// <summary>It could not be sent.</summary>
    public const string NoBuffer = "noBuffer";

    private const string Arrived = "arrived";

    /// <summary>The end that the last server's verdict means.</summary>
    public static string Of(TraceVerdict last) =>
        last switch
        {
            TraceVerdict.Arrived => Arrived,
            TraceVerdict.NoRoute => NoRoute,
            _ => TooLong,
        };

    /// <summary>A verdict's name.</summary>
    public static string NameOf(TraceVerdict verdict) =>
        verdict switch
        {
            TraceVerdict.Forwarded => "forwarded",
            TraceVerdict.Arrived => Arrived,
            TraceVerdict.NoRoute => NoRoute,
            _ => "ended",
        };
}
