using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Distribution;

/// <summary>Settings of the distribution of files (<c>CamCube:Services:distribution</c>). The same on all servers of a
/// cube.</summary>
public sealed class DistributionOptions : IValidatableObject
{
    /// <summary>Pieces have at least so many bytes.</summary>
    public const int LeastPieceBytes = 1 << 12;

    /// <summary>Pieces have at most so many bytes, and so many a member reads at once for its SHA-256.</summary>
    public const int MostPieceBytes = 1 << 20;

    /// <summary>Bytes of a piece of files that are sent from here, 4 KiB to 1 MiB. Default 256 KiB. Larger: less work
    /// for each byte, and more memory, and longer until the first piece is at the last server.</summary>
    [Range(LeastPieceBytes, MostPieceBytes)]
    public int PieceBytes { get; set; } = 256 << 10;

    /// <summary>Bytes of a block, 4 KiB to 1 MiB; pieces that have less are blocks. Default 32 KiB. A block goes on
    /// from server to server when it is whole and its sum is right. Smaller: the last byte is sooner at the last
    /// server, and there are more sums.</summary>
    [Range(LeastPieceBytes, MostPieceBytes)]
    public int BlockBytes { get; set; } = 32 << 10;

    /// <summary>Most pieces of a file, 1 to 1 Mi. Default 65,536: files of 16 GiB. All servers of a job have 4 bytes of
    /// each block in memory.</summary>
    [Range(1, 1 << 20)]
    public int MostPieces { get; set; } = 65_536;

    /// <summary>Pieces of each tree that a member has in memory between its parent, its disk and its children, 2 to 64.
    /// Default 4. More: a disk that now and then stands still holds its server up less.</summary>
    [Range(2, 64)]
    public int Window { get; set; } = 4;

    /// <summary>How often what a member has of a file is synced while it comes, 10 ms to 1 day. Default 1 s. What came
    /// since is sent again after a power failure.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "1.00:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan SyncEvery { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>Bytes of all pieces in memory, 16 MiB to 64 GiB. Default 64 MiB, claims on the server's memory. Half is
    /// for the windows of members, so for some five files at once; a server waits with more. Half is for pieces on
    /// their way to children that are behind, and for what is passed on.</summary>
    [Range(1L << 24, 1L << 36)]
    public long Buffers { get; set; } = 64L << 20;

    /// <summary>Bytes that were sent and have not arrived, 1 MiB to 64 GiB. Default 32 MiB, a claim on the server's
    /// memory.</summary>
    [Range(1L << 20, 1L << 36)]
    public long SendMemory { get; set; } = 32L << 20;

    /// <summary>Bytes that others may send and that were not read, 1 MiB to 64 GiB. Default 32 MiB, a claim on the
    /// server's memory.</summary>
    [Range(1L << 20, 1L << 36)]
    public long ReceiveMemory { get; set; } = 32L << 20;

    /// <summary>Bytes that both ends set apart for each pull of a stripe, 4 to 1,020 KiB. Default 16 KiB: so much goes
    /// on whatever others hold.</summary>
    [Range(1 << 12, 1_020 << 10)]
    public int LeastCredit { get; set; } = 16 << 10;

    /// <summary>How long a pull that was refused, or broke off, waits before it is opened again, 1 ms to 1 s. Default
    /// 5 ms. Doubles each time that nothing came, to 1 s.</summary>
    [Range(typeof(TimeSpan), "00:00:00.001", "00:00:01", ParseLimitsInInvariantCulture = true)]
    public TimeSpan Retry { get; set; } = TimeSpan.FromMilliseconds(5);

    /// <summary>Jobs that are begun at one server and run at a time, 1 to 1,024. Default 8; more are refused.</summary>
    [Range(1, 1_024)]
    public int Jobs { get; set; } = 8;

    /// <summary>Jobs that a server knows at a time, as member, or for what it passes on, 1 to 4,096. Default 64; those
    /// beyond are told to wait.</summary>
    [Range(1, 4_096)]
    public int Known { get; set; } = 64;

    /// <summary>Jobs whose end is remembered where they were begun, 1 to 4,096. Default 64.</summary>
    [Range(1, 4_096)]
    public int Ended { get; set; } = 64;

    /// <summary>How often a member is asked how far it is, 10 ms to 1 min. Default 200 ms.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "00:01:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan Poll { get; set; } = TimeSpan.FromMilliseconds(200);

    /// <summary>How long a member may be silent before it counts as lost, 100 ms to 1 h. Default 5 s.</summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "01:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan Silence { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>How long a job waits for members that are lost, once all others have the file, 0 to 1 day. Default
    /// 30 s. A member that is back by then gets it, too.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "1.00:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan LostTime { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>How long a server keeps what it has of a job of which it hears nothing, 1 s to 1 day. Default 10 min.
    /// Then what is not whole is deleted.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "1.00:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan KeepTime { get; set; } = TimeSpan.FromMinutes(10);

    /// <summary>Most blocks of a file.</summary>
    internal int MostBlocks => (PieceBytes + BlockBytes - 1) / BlockBytes * MostPieces;

    /// <inheritdoc/>
    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        // The windows of one job, of six trees, and what it is checked in.
        long least = 2L * ((6L * Window * PieceBytes) + MostPieceBytes);
        if (Buffers < least)
        {
            yield return new ValidationResult(
                $"{nameof(Buffers)}: {Buffers:N0} is less than one file needs with this {nameof(PieceBytes)} and "
                    + $"{nameof(Window)}: {least:N0}.",
                [nameof(Buffers)]
            );
        }
    }
}
