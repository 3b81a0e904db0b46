using CamCube.FrontEnds.Http;

namespace CamCube.Services.Files.FrontEnds.Http;

/// <summary>A file on its way to a client, piece by piece.</summary>
/// <param name="Reader">Reads it, for this body only.</param>
/// <param name="Range">The bytes that are wanted.</param>
/// <param name="Body">Where to.</param>
internal sealed record SentFile(IFileReader Reader, HttpRange Range, AnswerBody Body)
{
    // A part of what the client may have on its way.
    private const int Slice = 64 << 10;

    /// <summary>Sends it. Loop only.</summary>
    /// <returns>False: it was given up, or the client went away.</returns>
    public async ValueTask<bool> SendAsync()
    {
        using IFileReader reader = Reader;
        reader.Select(Range.From, Range.Length);
        while (true)
        {
            FilePart part = await reader.ReadAsync();
            if (part.Status != FileStatus.Done)
            {
                Body.Abort();
                return false;
            }

            if (part.Bytes.IsEmpty)
            {
                return true;
            }

            for (int at = 0; at < part.Bytes.Length; at += Slice)
            {
                if (!await Body.WriteAsync(part.Bytes.Span[at..Math.Min(at + Slice, part.Bytes.Length)]))
                {
                    return false;
                }
            }
        }
    }
}
