using System.Buffers;
using System.Security.Cryptography;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Operations;

/// <summary>
/// Names keys for this server's index: 128 bits of a hash with a secret of its own, so that nobody can choose keys that
/// fall on each other, and chance needs 2^60 keys for it. So an entry of the index is a key's, without a look at the
/// key itself on the disk.
/// </summary>
internal sealed class KeyHasher
{
    private const int SecretLength = 16;
    private const int Prefix = SecretLength + 1;
    private readonly byte[] _secret = new byte[SecretLength];

    public KeyHasher(IServer server)
    {
        server.Random.FillSecret(_secret);
        Name = ReadUInt64LittleEndian(SHA256.HashData(_secret)) | 1;
    }

    /// <summary>Tells it from others, which name the same keys otherwise; never 0.</summary>
    public ulong Name { get; }

    public UInt128 Of(int table, ReadOnlySpan<byte> key)
    {
        byte[]? rented = null;
        int length = Prefix + key.Length;
        Span<byte> text = length <= 512 ? stackalloc byte[512] : (rented = ArrayPool<byte>.Shared.Rent(length));
        _secret.CopyTo(text);
        text[SecretLength] = (byte)table;
        key.CopyTo(text[Prefix..]);
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(text[..length], hash);
        if (rented is not null)
        {
            ArrayPool<byte>.Shared.Return(rented);
        }

        return ReadUInt128LittleEndian(hash);
    }
}
