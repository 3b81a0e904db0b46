using CamCube.FrontEnds.Http;

namespace CamCube.Services.Files.FrontEnds.Http;

/// <summary>A file on its way to a client, piece by piece.</summary>
/// <param name="Reader">Reads it, for this body only.</param>
/// <param name="Range">The bytes that are wanted.</param>
/// <param name="Body">Where to.</param>
internal sealed record SentFile(IFileReader Reader, HttpRange Range, AnswerBody Body)
{
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

            // The reader's own until it is asked for the next one.
            if (!await Body.SendAsync(part.Bytes))
            {
                return false;
            }
        }
    }
}
