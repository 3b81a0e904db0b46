using System.Buffers;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Http;

namespace CamCube.FrontEnds.Http;

/// <summary>
/// The bounded way of a body between Kestrel's threads and a server's loop. Each side has its own end and waits on its
/// own threads: what the loop awaits goes on in the loop. No packet crosses, only bytes of the pool.
/// </summary>
internal static class BodyPipe
{
    /// <summary>Takes a request's body to who uses it.</summary>
    /// <param name="context">The request.</param>
    /// <param name="options">Bytes on the way at most, and in all.</param>
    /// <param name="use">Uses it.</param>
    /// <returns>The answer, and why the client is refused all the same; null: it is not.</returns>
    public static async Task<(TAnswer Answer, BadHttpRequestException? Refusal)> ReceiveAsync<TAnswer>(
        HttpContext context,
        HttpFrontEndOptions options,
        Func<RequestBody, ValueTask<TAnswer>> use
    )
    {
        Pipe pipe = New(options.BodyWindow);
        RequestBody body = new(pipe.Reader, context.Request.ContentLength);
        Task<BadHttpRequestException?> pump = FillAsync(context, pipe.Writer, body, options.MaxBody);
        bool isUsed = false;
        try
        {
            TAnswer answer = await use(body).ConfigureAwait(false);
            isUsed = true;
            await body.EndAsync().ConfigureAwait(false);
            return (answer, await pump.ConfigureAwait(false));
        }
        finally
        {
            if (!isUsed)
            {
                // The pump learns at its next flush that nobody wants it.
                await body.EndAsync().ConfigureAwait(false);
                await pump.ConfigureAwait(false);
            }
        }
    }

    /// <summary>Brings what somebody makes to the client.</summary>
    /// <param name="context">The request.</param>
    /// <param name="window">Bytes on the way at most.</param>
    /// <param name="make">Makes it.</param>
    public static async Task SendAsync(HttpContext context, int window, Func<AnswerBody, ValueTask> make)
    {
        Pipe pipe = New(window);
        Task pump = DrainAsync(context, pipe.Reader);
        Exception? fault = null;
        try
        {
            await make(new AnswerBody(pipe.Writer)).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            fault = e;
            throw;
        }
        finally
        {
            await pipe.Writer.CompleteAsync(fault).ConfigureAwait(false);
            await pump.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        await pump.ConfigureAwait(false);
    }

    private static Pipe New(int window) =>
        new(
            new PipeOptions(
                pauseWriterThreshold: window,
                resumeWriterThreshold: window / 2,
                readerScheduler: PipeScheduler.ThreadPool,
                writerScheduler: PipeScheduler.ThreadPool,
                useSynchronizationContext: false
            )
        );

    // Never throws: what goes wrong with the client is what the reader sees.
    private static async Task<BadHttpRequestException?> FillAsync(
        HttpContext context,
        PipeWriter writer,
        RequestBody body,
        long most
    )
    {
        BadHttpRequestException? refusal = null;
        try
        {
            PipeReader client = context.Request.BodyReader;
            bool ends = false;
            while (!ends)
            {
                ReadResult read = await client.ReadAsync(context.RequestAborted).ConfigureAwait(false);
                most -= read.Buffer.Length;
                foreach (ReadOnlyMemory<byte> piece in read.Buffer)
                {
                    if (most >= 0)
                    {
                        writer.Write(piece.Span);
                    }
                }

                client.AdvanceTo(read.Buffer.End);
                if (most < 0)
                {
                    throw new BadHttpRequestException(
                        "the body is longer than allowed.",
                        StatusCodes.Status413PayloadTooLarge
                    );
                }

                FlushResult flushed = await writer.FlushAsync(context.RequestAborted).ConfigureAwait(false);
                ends = read.IsCompleted || flushed.IsCompleted;
            }
        }
        catch (Exception e)
        {
            refusal = e as BadHttpRequestException;
            body.Break();
        }

        await writer.CompleteAsync().ConfigureAwait(false);
        return refusal;
    }

    private static async Task DrainAsync(HttpContext context, PipeReader reader)
    {
        PipeWriter client = context.Response.BodyWriter;
        try
        {
            while (true)
            {
                ReadResult read = await reader.ReadAsync(context.RequestAborted).ConfigureAwait(false);
                bool gone = false;
                foreach (ReadOnlyMemory<byte> piece in read.Buffer)
                {
                    gone |= (await client.WriteAsync(piece, context.RequestAborted).ConfigureAwait(false)).IsCompleted;
                }

                reader.AdvanceTo(read.Buffer.End);
                if (read.IsCompleted || gone)
                {
                    break;
                }
            }
        }
        finally
        {
            // Whoever makes it sees at the next flush that nobody wants it.
            await reader.CompleteAsync().ConfigureAwait(false);
        }
    }
}
