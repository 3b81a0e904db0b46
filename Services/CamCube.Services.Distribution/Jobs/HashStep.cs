using System.Runtime.CompilerServices;
using System.Security.Cryptography;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>Works out a SHA-256, and the CRC32C of blocks, off the loop: whose turn it is owns all of it.</summary>
/// <param name="buffer">Holds a part.</param>
/// <param name="blockBytes">Bytes of a block, whose sums are wanted; 0: none are.</param>
internal sealed class HashStep(byte[] buffer, int blockBytes = 0) : IDisposable
{
    // A gigabyte and a half in a second, as processors that know SHA do it.
    private const long BytesPerMicro = 1_500;
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private int _length;

    /// <summary>Holds a part.</summary>
    public byte[] Buffer { get; } = buffer;

    /// <summary>The sums of the part's blocks.</summary>
    public List<uint> Sums { get; } = [];

    /// <summary>The part is nothing but zeros.</summary>
    public bool IsZero { get; private set; }

    /// <summary>The hash of all that was added.</summary>
    public byte[] Take() => _hash.GetHashAndReset();

    /// <summary>Adds the first bytes of the buffer. False: the service stops, and the buffer is not to
    /// be used again.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<bool> AddAsync(IServer server, int length)
    {
        _length = length;
        var options = new OffloadOptions
        {
            Deadline = TimeSpan.FromMinutes(1),
            Cost = TimeSpan.FromMicroseconds(1 + (length / BytesPerMicro)),
        };
        OffloadResult<bool> added;
        do
        {
            added = await server.Work.OffloadAsync(
                static (HashStep step, CancellationToken _) => step.Add(),
                this,
                options
            );
        } while (added.Status == OffloadStatus.Busy && await server.DelayAsync(Pieces.DiskWords.BusyPause));

        return added.IsDone;
    }

    /// <inheritdoc/>
    public void Dispose() => _hash.Dispose();

    private bool Add()
    {
        ReadOnlySpan<byte> bytes = Buffer.AsSpan(0, _length);
        _hash.AppendData(bytes);
        Sums.Clear();
        IsZero = blockBytes > 0 && !bytes.ContainsAnyExcept((byte)0);
        for (int at = 0; at < bytes.Length && blockBytes > 0; at += blockBytes)
        {
            Sums.Add(Wire.PieceSum.Of(bytes.Slice(at, Math.Min(blockBytes, bytes.Length - at))));
        }

        return true;
    }
}
