namespace CamCube.Calls;

/// <summary>How long calls go on. The same on all servers of a cube.</summary>
/// <param name="Timeout">How long one attempt may take; one that carries many bytes gets a second per 4 MiB in
/// addition.</param>
/// <param name="Attempts">How many attempts' time a call gets, at least 1.</param>
public readonly record struct CallLimits(TimeSpan Timeout, int Attempts)
{
    private const long NanosPerKibibyte = 1_000_000_000 / 4_096;

    /// <summary>Longest that an attempt may take, with so many bytes.</summary>
    public long AttemptNanos(int length) => (long)Timeout.TotalNanoseconds + (length / 1_024 * NanosPerKibibyte);

    /// <summary>Longest that a call goes on, with so many bytes.</summary>
    public long MostNanos(int length) => Attempts * AttemptNanos(length);

    /// <summary>How long a root has to remember its answers, so that no attempt of a call comes later: only their
    /// number can push them out too early.</summary>
    public long RememberNanos(int mostLength) => (2 * MostNanos(mostLength)) + 1_000_000_000;
}
