using CamCube;
using CamCube.FrontEnds.Http;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Logging;

namespace NotesSample;

/// <summary>Notes over HTTP: <c>curl -T note.txt localhost:8500/notes/one</c>.</summary>
[FrontEnd("notes", 8500)]
public sealed class NotesFrontEnd(IServerGate gate, NotesOptions options, ILogger<NotesFrontEnd> logger)
    : HttpFrontEnd(gate, options, logger)
{
    protected override void Map(IEndpointRouteBuilder routes)
    {
        routes.MapMethods("/notes/{name}", ["GET", "HEAD"], ReadAsync);
        routes.MapPut("/notes/{name}", WriteAsync);
    }

    private async Task ReadAsync(HttpContext context, string name)
    {
        Note note = await Gate.CallAsync<NotesService, string, Note>(static (s, n) => new(s.Read(n)), name);
        await (
            note.Version is null
                ? context.RefuseAsync(404, $"there is no note '{name}'.")
                : AnswerAsync(
                    context,
                    new HttpEntity(note.Version, note.Text.Length, "text/plain; charset=utf-8"),
                    async (range, answer) =>
                        await answer.WriteAsync(note.Text.AsSpan((int)range.From, (int)range.Length))
                )
        );
    }

    private async Task WriteAsync(HttpContext context, string name)
    {
        (bool isTaken, string? version) = await ReceiveAsync(
            context,
            all => Gate.CallAsync<NotesService, (string, RequestBody), string?>((s, a) => s.WriteAsync(a), (name, all))
        );
        if (isTaken && version is null)
        {
            await context.RefuseAsync(413, "a note has 65,536 bytes at most.");
        }
    }
}
