using System.Collections.Concurrent;
using CamCube.FrontEnds.Http;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Logging;

namespace CamCube.FrontEnds.Tests;

/// <summary>Bytes under names over HTTP.</summary>
internal sealed class BlobFrontEnd(IServerGate gate, HttpFrontEndOptions options, ILogger logger, TimeProvider time)
    : HttpFrontEnd(gate, options, logger, time)
{
    /// <summary>Lets <c>/stall</c> end.</summary>
    public TaskCompletionSource StallEnds { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>What became of answers with bodies.</summary>
    public ConcurrentQueue<BodyFault> Sent { get; } = [];

    protected override void Map(IEndpointRouteBuilder routes)
    {
        routes.MapGet("/where", () => $"{Gate.Coordinate}");
        routes.MapGet("/throw", string () => throw new InvalidOperationException("on purpose"));
        routes.MapPut("/blobs/{name}", PutAsync);
        routes.MapMethods("/blobs/{name}", ["GET", "HEAD"], GetAsync);
        routes.MapGet("/made/{length:long}", (HttpContext context, long length) => MakeAsync(context, length, false));
        routes.MapGet("/lent/{length:long}", (HttpContext context, long length) => MakeAsync(context, length, true));
        routes.MapPut("/stall", StallAsync);
        routes.MapPut("/compared", CompareAsync);
        routes.MapPut("/early", EarlyAsync);
        routes.MapGet("/given-up/{length:long}", GiveUpAsync);
        routes.MapGet(
            "/half",
            async (HttpContext context) =>
            {
                context.Response.ContentLength = 100;
                await context.Response.WriteAsync("half");
                throw new InvalidOperationException("in the middle");
            }
        );
    }

    private async Task PutAsync(HttpContext context, string name)
    {
        (bool isTaken, long length) = await ReceiveAsync(
            context,
            body =>
                Gate.CallAsync<Blobs, (string Name, RequestBody Body), long>(
                    static (s, a) => s.PutAsync(a.Name, a.Body),
                    (name, body)
                )
        );
        if (isTaken)
        {
            await context.Response.WriteAsync($"{length}");
        }
    }

    private async Task GetAsync(HttpContext context, string name)
    {
        (int Version, byte[] Bytes)? found = await Gate.CallAsync<Blobs, string, (int, byte[])?>(
            static (s, n) => new(s.Get(n)),
            name
        );
        if (found is not { } blob)
        {
            await context.RefuseAsync(404, $"there is no '{name}'.");
            return;
        }

        await AnswerAsync(
            context,
            new HttpEntity($"v{blob.Version}", blob.Bytes.Length, "application/octet-stream"),
            async (range, writer) => await writer.WriteAsync(blob.Bytes.AsSpan((int)range.From, (int)range.Length))
        );
    }

    private async Task MakeAsync(HttpContext context, long length, bool isLent) =>
        Sent.Enqueue(
            await AnswerAsync(
                context,
                new HttpEntity("made", length, "application/octet-stream"),
                async (range, writer) =>
                    await Gate.CallAsync<Blobs, (AnswerBody Writer, HttpRange Range, bool IsLent), long>(
                        static (s, a) =>
                            a.IsLent
                                ? s.LendAsync(a.Writer, a.Range.From, a.Range.Length)
                                : s.MakeAsync(a.Writer, a.Range.From, a.Range.Length),
                        (writer, range, isLent)
                    )
            )
        );

    private async Task GiveUpAsync(HttpContext context, long length) =>
        Sent.Enqueue(
            await AnswerAsync(
                context,
                new HttpEntity("made", length + 1, "application/octet-stream"),
                async (_, writer) =>
                    await Gate.CallAsync<Blobs, (AnswerBody Writer, long Length), long>(
                        static (s, a) => s.GiveUpAsync(a.Writer, a.Length),
                        (writer, length)
                    )
            )
        );

    private async Task CompareAsync(HttpContext context)
    {
        (bool isTaken, long length) = await ReceiveAsync(
            context,
            body => Gate.CallAsync<Blobs, RequestBody, long>(static (s, b) => s.CompareAsync(b), body)
        );
        if (isTaken)
        {
            await context.Response.WriteAsync($"{length}");
        }
    }

    // Answers before the body is there.
    private async Task EarlyAsync(HttpContext context)
    {
        (bool isTaken, _) = await ReceiveAsync(context, static _ => new ValueTask<int>(0));
        if (isTaken)
        {
            await context.RefuseAsync(409, "there is another version.");
        }
    }

    private async Task StallAsync(HttpContext context)
    {
        (bool isTaken, long length) = await ReceiveAsync(
            context,
            body =>
                Gate.CallAsync<Blobs, (RequestBody Body, Task End), long>(
                    static (s, a) => s.StallAsync(a.Body, a.End),
                    (body, StallEnds.Task)
                )
        );
        if (isTaken)
        {
            await context.Response.WriteAsync($"{length}");
        }
    }
}
