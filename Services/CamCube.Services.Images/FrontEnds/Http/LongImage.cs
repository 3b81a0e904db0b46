using CamCube.FrontEnds.Http;

namespace CamCube.Services.Images.FrontEnds.Http;

/// <summary>An original on its way to a client, piece by piece.</summary>
/// <param name="Reader">Reads it, for this body only.</param>
/// <param name="Range">The bytes that are wanted.</param>
/// <param name="Body">Where to.</param>
internal sealed record LongImage(IImageReader Reader, HttpRange Range, AnswerBody Body)
{
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

            // The reader's own until it is asked for the next one.
            if (!await Body.SendAsync(bytes))
            {
                return false;
            }
        }
    }
}
