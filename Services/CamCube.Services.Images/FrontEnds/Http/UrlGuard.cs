using CamCube.FrontEnds.Http;
using Microsoft.AspNetCore.Http;

namespace CamCube.Services.Images.FrontEnds.Http;

/// <summary>Whether a request may be answered, where addresses have to be signed. Any thread.</summary>
/// <param name="key">The key; null: nothing has to be signed.</param>
/// <param name="time">The clock.</param>
internal sealed class UrlGuard(byte[]? key, TimeProvider time)
{
    /// <summary>Whether addresses have to be signed.</summary>
    public bool IsOn => key is not null;

    /// <summary>The guard of these settings.</summary>
    /// <exception cref="FrontEndException">The key cannot be read.</exception>
    public static UrlGuard Of(ImagesHttpOptions options, TimeProvider time)
    {
        if (options.SigningKey.Length == 0)
        {
            return new UrlGuard(null, time);
        }

        try
        {
            return new UrlGuard(
                ImageSignature.ReadKey(File.ReadAllText(options.SigningKey))
                    ?? throw new FrontEndException(
                        $"setting SigningKey = '{options.SigningKey}': a key has "
                            + $"{ImageSignature.LeastKey} bytes at least"
                    ),
                time
            );
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new FrontEndException($"setting SigningKey = '{options.SigningKey}': {e.Message}");
        }
    }

    /// <summary>What is wrong with a request's signature; null: nothing.</summary>
    public string? WrongOf(string method, ImagesTarget target)
    {
        if (key is null)
        {
            return null;
        }

        if (target is not { End: { } end, Signature: { } signature })
        {
            return "addresses have to be signed here (camcube images sign).";
        }

        string signed = HttpMethods.IsHead(method) ? HttpMethods.Get : method;
        return !ImageSignature.IsOf(key, signed, target.Path, end, signature) ? "the signature is not of this address."
            : end < time.GetUtcNow().ToUnixTimeSeconds() ? "the address was good until another time, which is over."
            : null;
    }

    /// <summary>For how long an answer may be kept by those who got it; null: as if nothing was signed.</summary>
    public long? SecondsLeft(ImagesTarget target) =>
        key is null ? null : Math.Max(0, (target.End ?? 0) - time.GetUtcNow().ToUnixTimeSeconds());
}
