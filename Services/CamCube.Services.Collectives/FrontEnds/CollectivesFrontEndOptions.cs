using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Collectives.FrontEnds;

/// <summary>Settings of the collectives' Unix sockets (<c>CamCube:FrontEnds:collectives</c>).</summary>
public sealed class CollectivesFrontEndOptions
{
    /// <summary>Folder of the sockets <c>camcube-collectives-RANK.sock</c>. Default: that of temporary files.
    /// <b>Danger:</b> where others may write, they may be there first: name a folder of the host's own user.</summary>
    public string Folder { get; set; } = "";

    /// <summary>Clients of a server at a time, 1 to 4,096. Default 64; others are closed at once.</summary>
    [Range(1, 4_096)]
    public int MaxConnections { get; set; } = 64;

    /// <summary>Bytes of all vectors of a server's clients, 1 KiB to 1 TiB. Default 256 MiB. What does not fit is
    /// refused.</summary>
    [Range(1L << 10, 1L << 40)]
    public long MaxBytes { get; set; } = 256L << 20;

    /// <summary>How long a message that has begun, or a first one, may take to come, 100 ms to 1 h. Default 10
    /// s.</summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "01:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan MessageTime { get; set; } = TimeSpan.FromSeconds(10);
}
