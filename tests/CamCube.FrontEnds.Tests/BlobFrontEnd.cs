using CamCube.FrontEnds.Http;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Logging;

namespace CamCube.FrontEnds.Tests;

/// <summary>Bytes under names over HTTP.</summary>
internal sealed class BlobFrontEnd(IServerGate gate, HttpFrontEndOptions options, ILogger logger)
    : HttpFrontEnd(gate, options, logger)
{
    /// <summary>Lets <c>/stall</c> end.</summary>
    public TaskCompletionSource StallEnds { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    protected override void Map(IEndpointRouteBuilder routes)
    {
        routes.MapGet("/where", () => $"{Gate.Coordinate}");
        routes.MapGet("/throw", string () => throw new InvalidOperationException("on purpose"));
        routes.MapPut("/blobs/{name}", PutAsync);
        routes.MapMethods("/blobs/{name}", ["GET", "HEAD"], GetAsync);
        routes.MapGet("/made/{length:long}", MakeAsync);
        routes.MapPut("/stall", StallAsync);
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

    private Task MakeAsync(HttpContext context, long length) =>
        AnswerAsync(
            context,
            new HttpEntity("made", length, "application/octet-stream"),
            async (range, writer) =>
                await Gate.CallAsync<Blobs, (AnswerBody Writer, HttpRange Range), long>(
                    static (s, a) => s.MakeAsync(a.Writer, a.Range.From, a.Range.Length),
                    (writer, range)
                )
        );

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
