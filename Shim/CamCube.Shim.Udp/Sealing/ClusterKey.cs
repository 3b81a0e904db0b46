using System.Buffers.Binary;
using System.Security.Cryptography;

namespace CamCube.Shim.Udp.Sealing;

/// <summary>
/// The secret that all servers of a cube share. It encrypts nothing itself: keys of frames are derived from it with the
/// nonces of both ends (HKDF-SHA256), and handshakes are proved with a key that is derived from it too. Any thread.
/// </summary>
internal sealed class ClusterKey
{
    /// <summary>Fewest bytes of a key.</summary>
    public const int MinLength = 32;

    private readonly byte[] _secret;
    private readonly byte[] _proofKey = new byte[32];

    /// <summary>A key of these bytes, which are copied.</summary>
    /// <exception cref="ArgumentException">Fewer than <see cref="MinLength"/> bytes.</exception>
    public ClusterKey(ReadOnlySpan<byte> secret)
    {
        if (secret.Length < MinLength)
        {
            throw new ArgumentException($"A cluster key has at least {MinLength} bytes.", nameof(secret));
        }

        _secret = secret.ToArray();
        Span<byte> fingerprint = stackalloc byte[4];
        HKDF.DeriveKey(HashAlgorithmName.SHA256, _secret, _proofKey, [], "camcube udp 1 handshake"u8);
        HKDF.DeriveKey(HashAlgorithmName.SHA256, _secret, fingerprint, [], "camcube udp 1 fingerprint"u8);
        Fingerprint = BinaryPrimitives.ReadUInt32LittleEndian(fingerprint);
    }

    /// <summary>Four bytes that tell keys apart for messages to people. They prove nothing.</summary>
    public uint Fingerprint { get; }

    /// <summary>Reads the base64 text of a key. Null: it is not base64, or too short.</summary>
    public static ClusterKey? TryParse(string text)
    {
        byte[] bytes = new byte[text.Length];
        return Convert.TryFromBase64String(text.Trim(), bytes, out int length) && length >= MinLength
            ? new ClusterKey(bytes.AsSpan(0, length))
            : null;
    }

    /// <summary>Writes what proves that somebody with this key wrote the message: HMAC-SHA256, 32 bytes.</summary>
    public void Prove(ReadOnlySpan<byte> message, Span<byte> proof) => HMACSHA256.HashData(_proofKey, message, proof);

    /// <summary>Whether somebody with this key wrote the message. Takes the same time for every wrong proof.</summary>
    public bool IsProved(ReadOnlySpan<byte> message, ReadOnlySpan<byte> proof)
    {
        Span<byte> right = stackalloc byte[32];
        Prove(message, right);
        return CryptographicOperations.FixedTimeEquals(right, proof);
    }

    /// <summary>The keys of one session: everything follows from the key and both nonces.</summary>
    /// <param name="initiatorNonce">Nonce of the + end, fresh.</param>
    /// <param name="responderNonce">Nonce of the − end, fresh.</param>
    /// <param name="output">What is derived.</param>
    public void DeriveSession(ReadOnlySpan<byte> initiatorNonce, ReadOnlySpan<byte> responderNonce, Span<byte> output)
    {
        Span<byte> salt = stackalloc byte[2 * FrameFormat.NonceLength];
        initiatorNonce.CopyTo(salt);
        responderNonce.CopyTo(salt[FrameFormat.NonceLength..]);
        HKDF.DeriveKey(HashAlgorithmName.SHA256, _secret, output, salt, "camcube udp 1 session"u8);
    }
}
