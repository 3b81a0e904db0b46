using System.Buffers;
using System.IO.Pipelines;
using CamCube.FrontEnds.Http;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace CamCube.Services.KeyValue.FrontEnds.Http;

/// <summary>Reads a value from the body of a request, as a whole. Any thread.</summary>
internal static class ValueReader
{
    /// <summary>Reads it, as far as there is room for it. A body that does not come to its end throws, and nothing of
    /// it was seen.</summary>
    /// <param name="context">The request.</param>
    /// <param name="value">Takes it.</param>
    /// <param name="longest">Most bytes.</param>
    /// <returns>False: it is longer.</returns>
    public static async Task<bool> TryReadAsync(HttpContext context, HeldBody value, int longest)
    {
        // Counted here: Kestrel would break the connection off, and the client would not read why.
        if (context.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } limit)
        {
            limit.MaxRequestBodySize = null;
        }

        PipeReader body = context.Request.BodyReader;
        while (true)
        {
            ReadResult read = await ReadAsync(body, context.RequestAborted);
            if (read.IsCanceled || value.Length + read.Buffer.Length > longest)
            {
                body.AdvanceTo(read.Buffer.Start);
                return false;
            }

            foreach (ReadOnlyMemory<byte> part in read.Buffer)
            {
                value.Write(part.Span);
            }

            body.AdvanceTo(read.Buffer.End);
            if (read.IsCompleted || value.LacksRoom)
            {
                return true;
            }
        }
    }

    // Whatever is wrong in a body is its client's doing. Of a chunk with a length of nine digits Kestrel says so in
    // another way than of the rest.
    private static async ValueTask<ReadResult> ReadAsync(PipeReader body, CancellationToken cancel)
    {
        try
        {
            return await body.ReadAsync(cancel);
        }
        catch (IOException e) when (e is not (BadHttpRequestException or ConnectionResetException))
        {
            throw new BadHttpRequestException("the body cannot be read.", StatusCodes.Status400BadRequest, e);
        }
    }
}
