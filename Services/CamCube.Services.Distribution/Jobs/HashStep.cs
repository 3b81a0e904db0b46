using System.Runtime.CompilerServices;
using System.Security.Cryptography;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>Works out a SHA-256, and the CRC32C of each part, off the loop: whose turn it is owns all of it.</summary>
/// <param name="buffer">Holds a part.</param>
internal sealed class HashStep(byte[] buffer) : IDisposable
{
    // A gigabyte and a half in a second, as processors that know SHA do it.
    private const long BytesPerMicro = 1_500;
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private int _length;

    /// <summary>Holds a part.</summary>
    public byte[] Buffer { get; } = buffer;

    /// <summary>The hash of all that was added.</summary>
    public byte[] Take() => _hash.GetHashAndReset();

    /// <summary>Adds the first bytes of the buffer. The sum of these; null: the service stops, and the buffer is not to
    /// be used again.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<uint?> AddAsync(IServer server, int length)
    {
        _length = length;
        var options = new OffloadOptions
        {
            Deadline = TimeSpan.FromMinutes(1),
            Cost = TimeSpan.FromMicroseconds(1 + (length / BytesPerMicro)),
        };
        OffloadResult<uint> added;
        do
        {
            added = await server.Work.OffloadAsync(
                static (HashStep step, CancellationToken _) => step.Add(),
                this,
                options
            );
        } while (added.Status == OffloadStatus.Busy && await server.DelayAsync(Pieces.DiskWords.BusyPause));

        return added.IsDone ? added.Value : null;
    }

    /// <inheritdoc/>
    public void Dispose() => _hash.Dispose();

    private uint Add()
    {
        ReadOnlySpan<byte> bytes = Buffer.AsSpan(0, _length);
        _hash.AppendData(bytes);
        return Wire.PieceSum.Of(bytes);
    }
}
