using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Collectives;

/// <summary>Settings of the collectives (<c>CamCube:Services:collectives</c>). The same on all servers of a
/// cube.</summary>
public sealed class CollectivesOptions
{
    /// <summary>Operations on at most so many bytes go along one tree of shortest ways instead of all trees, 0 to
    /// 1 MiB. Default 4 KiB: they are done sooner there. The same on all servers, or members do not find one
    /// another.</summary>
    [Range(0, 1 << 20)]
    public int ShortBytes { get; set; } = 4 << 10;

    /// <summary>Groups that may be open at a server, 1 to 4,096. Default 64. The fewer there are, the more members may
    /// have trees of their own for reduce-scatter and allgather: <see cref="SendMemory"/> and
    /// <see cref="ReceiveMemory"/> have to do for the edges of all groups.</summary>
    [Range(1, 4_096)]
    public int Groups { get; set; } = 64;

    /// <summary>Operations of a group that may wait at a member, 1 to 65,536. Default 256; more are refused.</summary>
    [Range(1, 65_536)]
    public int Waiting { get; set; } = 256;

    /// <summary>Groups that have ended and are remembered, so that members that did not know hear why, 1 to 65,536.
    /// Default 256.</summary>
    [Range(1, 65_536)]
    public int Ended { get; set; } = 256;

    /// <summary>Bytes that are under way, or not read, on an edge of a tree, 16 KiB to 4 MiB. Default 256 KiB. A member
    /// keeps three times as many of what it has passed on, for each tree in which others get it from there: should a
    /// cable be cut, they ask again.</summary>
    [Range(16 << 10, 4 << 20)]
    public int Window { get; set; } = 256 << 10;

    /// <summary>Bytes that both ends set apart for each edge of a tree, 8 to 1,020 KiB. Default 8 KiB: so much goes
    /// on whatever others hold. What is allowed is counted in 4 KiB; with no more, what lies across their border
    /// would never come. A group has up to some thirty such edges at a server, and one more or two for each member once
    /// it reduces and scatters, or gathers; where there is no memory for them it waits.</summary>
    [Range(1 << 13, 1_020 << 10)]
    public int LeastCredit { get; set; } = 8 << 10;

    /// <summary>Bytes that were sent and have not arrived, 1 MiB to 64 GiB. Default 48 MiB, a claim on the server's
    /// memory.</summary>
    [Range(1L << 20, 1L << 36)]
    public long SendMemory { get; set; } = 48L << 20;

    /// <summary>Bytes that others may send and that were not read, 1 MiB to 64 GiB. Default 48 MiB, a claim on the
    /// server's memory.</summary>
    [Range(1L << 20, 1L << 36)]
    public long ReceiveMemory { get; set; } = 48L << 20;

    /// <summary>How long an edge that was refused, or broke off, waits before it is opened again, 1 ms to 1 s. Default
    /// 5 ms. Doubles each time that nothing came, to 1 s.</summary>
    [Range(typeof(TimeSpan), "00:00:00.001", "00:00:01", ParseLimitsInInvariantCulture = true)]
    public TimeSpan Retry { get; set; } = TimeSpan.FromMilliseconds(5);

    /// <summary>How long a member that cannot be reached when its group is opened has to come, 100 ms to 1 h. Default
    /// 5 s; then it counts as lost. One that was there and is lost does at once.</summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "01:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan LostTime { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Bytes that measurements from outside (<c>camcube collective bench</c>) may have at a server, all
    /// together, 1 KiB to 1 GiB. Default 256 MiB. Each has one vector there meanwhile, a claim on the server's
    /// memory.</summary>
    [Range(1 << 10, 1 << 30)]
    public int MostMeasured { get; set; } = 256 << 20;

    /// <summary>How long a measurement goes on of which nobody asks how far it is, 1 s to 1 h. Default 30 s: who began
    /// it is gone.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "01:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan UnaskedTime { get; set; } = TimeSpan.FromSeconds(30);
}
