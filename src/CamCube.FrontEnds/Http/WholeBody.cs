using System.Buffers;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http;

namespace CamCube.FrontEnds.Http;

/// <summary>Reads the body of a request as a whole. Any thread.</summary>
public static class WholeBody
{
    /// <summary>Reads it, as far as there is room for it. A body that does not come to its end throws, and nothing of
    /// it was seen.</summary>
    /// <param name="context">The request.</param>
    /// <param name="body">Takes it.</param>
    /// <param name="longest">Most bytes.</param>
    /// <returns>False: it is longer.</returns>
    public static async Task<bool> TryReadAsync(HttpContext context, HeldBody body, int longest)
    {
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(body);

        context.LiftBodyLimit();
        PipeReader client = context.Request.BodyReader;
        while (true)
        {
            ReadResult read = await ReadAsync(client, context.RequestAborted).ConfigureAwait(false);
            if (read.IsCanceled || body.Length + read.Buffer.Length > longest)
            {
                client.AdvanceTo(read.Buffer.Start);
                return false;
            }

            foreach (ReadOnlyMemory<byte> part in read.Buffer)
            {
                body.Write(part.Span);
            }

            client.AdvanceTo(read.Buffer.End);
            if (read.IsCompleted || body.LacksRoom)
            {
                return true;
            }
        }
    }

    // Whatever is wrong in a body is its client's doing. Of a chunk with a length of nine digits Kestrel says so in
    // another way than of the rest.
    private static async ValueTask<ReadResult> ReadAsync(PipeReader client, CancellationToken cancel)
    {
        try
        {
            return await client.ReadAsync(cancel).ConfigureAwait(false);
        }
        catch (IOException e) when (e is not (BadHttpRequestException or ConnectionResetException))
        {
            throw new BadHttpRequestException("the body cannot be read.", StatusCodes.Status400BadRequest, e);
        }
    }
}
