using System.Security.Cryptography;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Operations;

/// <summary>
/// Names keys for this server's index: 80 bits of a hash with a secret of its own, so that nobody can choose keys that
/// fall on each other, and chance needs 2^40 keys of one group for it. So an entry of the index is a key's, without a
/// look at the key itself on the disk.
/// </summary>
internal sealed class KeyHasher
{
    /// <summary>Bytes of the secret.</summary>
    public const int SecretLength = 16;

    /// <summary>Bits of a name.</summary>
    public const int NameBits = 80;

    private static readonly UInt128 Mask = (UInt128.One << NameBits) - 1;
    private readonly byte[] _secret = new byte[SecretLength];

    private readonly IServer _server;

    public KeyHasher(IServer server)
    {
        _server = server;
        Renew();
    }

    /// <summary>Tells it from others, which name the same keys otherwise; never 0.</summary>
    public ulong Name { get; private set; }

    /// <summary>What names follow from. Nobody else may know it.</summary>
    public ReadOnlySpan<byte> Secret => _secret;

    /// <summary>Names keys as an earlier run did, before any was named in this one.</summary>
    public void Adopt(ReadOnlySpan<byte> secret)
    {
        secret.CopyTo(_secret);
        Name = ReadUInt64LittleEndian(SHA256.HashData(_secret)) | 1;
    }

    /// <summary>Names keys by a new secret, before any was named.</summary>
    public void Renew()
    {
        _server.Random.FillSecret(_secret);
        Adopt(_secret);
    }

    /// <summary>The name of a key.</summary>
    public UInt128 Of(int table, ReadOnlySpan<byte> key)
    {
        ulong high = ReadUInt64LittleEndian(_secret.AsSpan(sizeof(ulong)));
        return new SipHash(ReadUInt64LittleEndian(_secret), high ^ (uint)table).Of(key) & Mask;
    }
}
