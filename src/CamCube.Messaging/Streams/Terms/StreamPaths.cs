namespace CamCube.Messaging;

/// <summary>Which paths a connection's packets take (SIGCOMM §3.1).</summary>
public enum StreamPaths : byte
{
    /// <summary>All link-disjoint ones at once.</summary>
    All = 0,

    /// <summary>One of them, a shortest.</summary>
    One = 1,
}
