using CamCube.FrontEnds.Http;

namespace CamCube.Services.KeyValue.FrontEnds.Http;

/// <summary>A value on its way to a client, piece by piece.</summary>
/// <param name="Reader">Reads it, for this body only.</param>
/// <param name="Range">The bytes that are wanted.</param>
/// <param name="Body">Where to.</param>
internal sealed record LongBody(IKeyValueReader Reader, HttpRange Range, AnswerBody Body)
{
    /// <summary>Sends it. Loop only.</summary>
    /// <returns>False: it was given up, or the client went away.</returns>
    public async ValueTask<bool> SendAsync()
    {
        using IKeyValueReader reader = Reader;
        reader.Select(Range.From, Range.Length);
        while (true)
        {
            KeyValuePart part = await reader.ReadAsync();
            if (part.Status != KeyValueStatus.Done)
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
