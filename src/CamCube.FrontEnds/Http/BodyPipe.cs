using System.Buffers;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Http;

namespace CamCube.FrontEnds.Http;

/// <summary>
/// The way of bodies between Kestrel's threads and a server's loop, through a <see cref="BodyWindow"/> each. No packet
/// crosses, only bytes. Any thread; what the loop awaits goes on in the loop.
/// </summary>
/// <param name="options">Limits.</param>
/// <param name="budget">Of all bodies.</param>
/// <param name="isStopping">Whether the port is being closed.</param>
/// <param name="time">Tells who reads too slowly from who went away; null: nobody does.</param>
internal sealed class BodyPipe(
    HttpFrontEndOptions options,
    BodyBudget budget,
    Func<bool> isStopping,
    TimeProvider? time
)
{
    private const int Flushed = ServerPort.ReadAhead;

    /// <summary>Takes a request's body to who uses it. The budget has a floor for it.</summary>
    /// <param name="context">The request.</param>
    /// <param name="use">Uses it.</param>
    /// <returns>The answer, and why the client is refused all the same; null: it is not.</returns>
    public async Task<(TAnswer Answer, BadHttpRequestException? Refusal)> ReceiveAsync<TAnswer>(
        HttpContext context,
        Func<RequestBody, ValueTask<TAnswer>> use
    )
    {
        BodyWindow window = new(budget, options.BodyWindow);
        Task<BadHttpRequestException?> pump = FillAsync(context, window);
        BadHttpRequestException? refusal = null;
        TAnswer answer;
        try
        {
            answer = await use(new RequestBody(window, context.Request.ContentLength)).ConfigureAwait(false);
        }
        finally
        {
            window.Leave(BodyFault.None);

            // An answer does not wait for a client that has stopped sending: what is left of the body is Kestrel's. Not
            // by a token: of a read that was ended so Kestrel thinks that it goes on, and closes the connection.
            context.Request.BodyReader.CancelPendingRead();
            refusal = await pump.ConfigureAwait(false);
            window.Close();
        }

        return (answer, refusal);
    }

    /// <summary>Brings what somebody makes to the client. The budget has a floor for it.</summary>
    /// <param name="context">The request.</param>
    /// <param name="make">Makes it.</param>
    /// <returns>Why it did not come to its end; None: Kestrel has all of it.</returns>
    public async Task<BodyFault> SendAsync(HttpContext context, Func<AnswerBody, ValueTask> make)
    {
        BodyWindow window = new(budget, options.BodyWindow);
        Task pump = DrainAsync(context, window);
        try
        {
            await make(new AnswerBody(window)).ConfigureAwait(false);
            window.Flush();
            window.EndWriting(BodyFault.None);
            await pump.ConfigureAwait(false);
        }
        finally
        {
            window.EndWriting(BodyFault.ServiceAborted);
            await pump.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            window.Close();
        }

        return window.Fault;
    }

    // Never throws: what goes wrong with the client is what the reader sees.
    private async Task<BadHttpRequestException?> FillAsync(HttpContext context, BodyWindow window)
    {
        BodyWait<int> room = new(() => window.Room);
        long most = options.MaxBody;
        try
        {
            PipeReader client = context.Request.BodyReader;
            while (true)
            {
                // What is read stays Kestrel's until there is room for it, and then the client has to wait.
                int free = window.HasRoom(room) ? window.Room : await room.Task.ConfigureAwait(false);
                if (window.IsLeft)
                {
                    return null;
                }

                ReadResult read = await client.ReadAsync(context.RequestAborted).ConfigureAwait(false);
                if (read.IsCanceled)
                {
                    client.AdvanceTo(read.Buffer.Start);
                    continue;
                }

                ReadOnlySequence<byte> taken = read.Buffer.Slice(
                    0,
                    Math.Min(read.Buffer.Length, Math.Clamp(free, 1, options.BodyWindow))
                );
                bool ends = read.IsCompleted && taken.Length == read.Buffer.Length;
                most -= taken.Length;
                if (most >= 0)
                {
                    window.Write(taken);
                }

                client.AdvanceTo(taken.End);
                if (most < 0)
                {
                    throw new BadHttpRequestException(
                        "the body is longer than allowed.",
                        StatusCodes.Status413PayloadTooLarge
                    );
                }

                window.Flush();
                if (ends)
                {
                    window.EndWriting(BodyFault.None);
                    return null;
                }
            }
        }
        catch (Exception e)
        {
            window.EndWriting(
                isStopping() ? BodyFault.ServerStopping
                : e is not BadHttpRequestException refused ? BodyFault.ClientGone
                : refused.StatusCode == StatusCodes.Status408RequestTimeout ? BodyFault.TooSlow
                : refused.StatusCode == StatusCodes.Status413PayloadTooLarge ? BodyFault.TooLong
                : BodyFault.ClientGone
            );
            return e as BadHttpRequestException;
        }
    }

    private async Task DrainAsync(HttpContext context, BodyWindow window)
    {
        BodyWait<BodyPiece> bytes = new(window.Take);
        PipeWriter client = context.Response.BodyWriter;
        BodyFault fault = BodyFault.None;
        long began = 0;
        TimeSpan longest = default;
        try
        {
            bool isGone = false,
                ends = false;
            while (!ends && !isGone)
            {
                BodyPiece piece = window.HasBytes(bytes) ? window.Take() : await bytes.Task.ConfigureAwait(false);
                int written = 0;
                long left = piece.Bytes.Length;
                foreach (ReadOnlyMemory<byte> part in piece.Bytes)
                {
                    for (ReadOnlyMemory<byte> rest = part; !rest.IsEmpty && !isGone; )
                    {
                        // A flush of each small part would cost more than the part. Asked for any room, Kestrel may
                        // give none. Of a long part much is asked for at once: one block in place of many, which a
                        // socket sends in one go.
                        Span<byte> room = client.GetSpan(Math.Min(rest.Length, Flushed - written));
                        int count = Math.Min(Math.Min(rest.Length, room.Length), Flushed - written);
                        rest.Span[..count].CopyTo(room);
                        client.Advance(count);
                        rest = rest[count..];
                        (written, left) = (written + count, left - count);
                        if (left > 0 && written < Flushed)
                        {
                            continue;
                        }

                        (written, began) = (0, time?.GetTimestamp() ?? 0);
                        isGone |= (await client.FlushAsync(context.RequestAborted).ConfigureAwait(false)).IsCompleted;
                        longest = SinceOr(began, longest);
                    }
                }

                ends = piece.End != BodyEnd.More;
            }

            fault = isGone ? WhyGone(SinceOr(began, longest)) : BodyFault.None;
        }
        catch (Exception) when (context.RequestAborted.IsCancellationRequested)
        {
            fault = WhyGone(SinceOr(began, longest));
        }
        catch
        {
            // It wrote more than its answer announced.
            fault = BodyFault.ServiceAborted;
            throw;
        }
        finally
        {
            window.Leave(fault);
        }
    }

    // Kestrel breaks a connection off whose client is too slow, and does not say that this was the reason. Flushes
    // behind the one that stood still end as if nothing had happened until it tells of the end, so the longest counts.
    // Its clock moves once a second, so it may be a little early.
    private BodyFault WhyGone(TimeSpan longest) =>
        isStopping() ? BodyFault.ServerStopping
        : time is not null && options.SlowestBody > 0 && longest >= options.SlowGrace / 2 ? BodyFault.TooSlow
        : BodyFault.ClientGone;

    private TimeSpan SinceOr(long began, TimeSpan longest) =>
        time is not null && began != 0 && time.GetElapsedTime(began) is var since && since > longest ? since : longest;
}
