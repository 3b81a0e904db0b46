using CamCube.FrontEnds.Http;

namespace CamCube.Services.Images.FrontEnds.Http;

/// <summary>An original on its way to a client, piece by piece.</summary>
/// <param name="Reader">Reads it, for this body only.</param>
/// <param name="Range">The bytes that are wanted.</param>
/// <param name="Body">Where to.</param>
internal sealed record LongImage(IImageReader Reader, HttpRange Range, AnswerBody Body)
{
    // A part of what the client may have on its way.
    private const int Slice = 64 << 10;

    /// <summary>Sends it. Loop only.</summary>
    /// <returns>False: it was given up, or the client went away.</returns>
    public async ValueTask<bool> SendAsync()
    {
        using IImageReader reader = Reader;
        reader.Select(Range.From, Range.Length);
        while (true)
        {
            (ImageStatus status, ReadOnlyMemory<byte> bytes) = await reader.ReadAsync();
            if (status != ImageStatus.Done)
            {
                Body.Abort();
                return false;
            }

            if (bytes.IsEmpty)
            {
                return true;
            }

            for (int at = 0; at < bytes.Length; at += Slice)
            {
                if (!await Body.WriteAsync(bytes.Span[at..Math.Min(at + Slice, bytes.Length)]))
                {
                    return false;
                }
            }
        }
    }
}
