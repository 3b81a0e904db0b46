using System.Buffers;
using System.Security.Cryptography;

namespace CamCube.Workers;

/// <summary>A request that killed a worker.</summary>
/// <param name="Length">Its bytes.</param>
/// <param name="Hash">Its SHA-256, in hexadecimal.</param>
internal readonly record struct Killer(long Length, string Hash)
{
    /// <summary>Hashes a request.</summary>
    public static Killer Of(ReadOnlySequence<byte> request)
    {
        using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (ReadOnlyMemory<byte> piece in request)
        {
            hash.AppendData(piece.Span);
        }

        return new Killer(request.Length, Convert.ToHexString(hash.GetHashAndReset()));
    }
}
