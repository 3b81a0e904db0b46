using CamCube.FrontEnds.Http;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Logging;

namespace CamCube.Services.Files.FrontEnds.Http;

/// <summary>
/// The file store over HTTP: <c>GET|HEAD|PUT|DELETE /files/{path}</c>, as docs/files.md describes it. Handlers run on
/// pool threads, and ask the store through the gate.
/// </summary>
/// <param name="gate">The server.</param>
/// <param name="options">Settings.</param>
/// <param name="logger">Is told what goes wrong.</param>
/// <param name="time">Tells slow clients from those that went away.</param>
[FrontEnd("files", 8400)]
public sealed class FilesHttpFrontEnd(
    IServerGate gate,
    FilesHttpOptions options,
    ILogger<FilesHttpFrontEnd> logger,
    TimeProvider time
) : HttpFrontEnd(gate, options, logger, time)
{
    private const string UnknownType = "application/octet-stream";
    private static readonly string[] Methods = ["GET", "HEAD", "PUT", "DELETE"];
    private long _longest;

    // Which file is meant is in the request line as it was sent, and not in what routing makes of it.
    /// <inheritdoc/>
    protected override void Map(IEndpointRouteBuilder routes) => routes.Map("{**path}", HandleAsync);

    private async Task HandleAsync(HttpContext context)
    {
        string raw = context.Features.Get<IHttpRequestFeature>()!.RawTarget;
        string method = context.Request.Method;
        if (!FilesTarget.TryRead(raw, out FilesTarget target, out string? wrong))
        {
            await (
                wrong is null
                    ? context.RefuseAsync(StatusCodes.Status404NotFound, "files are at /files/{path}.")
                    : context.RefuseAsync(StatusCodes.Status400BadRequest, wrong)
            );
            return;
        }

        if (!Methods.Contains(method))
        {
            string names = string.Join(", ", Methods);
            context.Response.Headers.Allow = names;
            await context.RefuseAsync(StatusCodes.Status405MethodNotAllowed, $"there are {names} here.");
            return;
        }

        // A constant, which only the loop may ask for.
        if (_longest == 0)
        {
            _longest = await Gate.CallAsync<IFiles, int, long>(static (s, _) => new(s.MostBytes), 0);
        }

        bool isChange = HttpMethods.IsDelete(method) || HttpMethods.IsPut(method);
        (bool isRefused, FileEntry? there) = isChange ? await RefuseChangeAsync(context, target) : (false, null);
        if (isRefused)
        {
            return;
        }

        await (
            HttpMethods.IsDelete(method) ? DeleteAsync(context, target, there)
            : HttpMethods.IsPut(method)
                ? (target.IsDirectory ? MakeDirectoryAsync(context, target) : PutAsync(context, target))
            : target.WantsFacts ? DescribeAsync(context, target)
            : ReadAsync(context, target)
        );
    }

    private async Task ReadAsync(HttpContext context, FilesTarget target)
    {
        IFileReader reader = await Gate.CallAsync<IFiles, string, IFileReader>(
            static (s, path) => s.OpenReadAsync(path),
            target.Path
        );
        if (reader.Answer.Status == FileStatus.IsDirectory)
        {
            await ListAsync(context, target);
        }
        else if (reader.Answer.Entry is not { } entry || reader.Answer.Status != FileStatus.Done)
        {
            await RefuseAsync(context, reader.Answer);
        }
        else if (target.IsDirectory)
        {
            await RefuseAsync(context, new FileAnswer(FileStatus.NotDirectory));
        }
        else
        {
            // Strangers have put it here: it must not act as this server's own page. It may be deleted and made anew.
            IHeaderDictionary headers = context.Response.Headers;
            headers.ContentSecurityPolicy = "default-src 'none'; sandbox";
            headers.CacheControl = "no-cache";
            headers["Repr-Digest"] = $"sha-256=:{Convert.ToBase64String(entry.Sha256.Span)}:";
            headers.LastModified = entry.Created.ToString("R", null);
            await AnswerAsync(
                context,
                new HttpEntity(
                    $"{entry.Version}",
                    entry.Length,
                    entry.MediaType.Length == 0 ? UnknownType : entry.MediaType
                ),
                async (range, body) =>
                    await Gate.CallAsync<IFiles, SentFile, bool>(
                        static (_, sent) => sent.SendAsync(),
                        new SentFile(reader, range, body)
                    )
            );
        }
    }

    private async Task ListAsync(HttpContext context, FilesTarget target)
    {
        FilePage page = await Gate.CallAsync<IFiles, FilesTarget, FilePage>(
            static (s, t) => s.ListAsync(t.Path, t.Cursor, t.Limit),
            target
        );
        await (
            page.Status == FileStatus.Done
                ? SendJsonAsync(context, StatusCodes.Status200OK, FilesJson.Listed(target.Path, page))
                : RefuseAsync(context, new FileAnswer(page.Status))
        );
    }

    private async Task DescribeAsync(HttpContext context, FilesTarget target)
    {
        FileLayout layout = await Gate.CallAsync<IFiles, string, FileLayout>(
            static (s, path) => s.DescribeAsync(path),
            target.Path
        );
        await (
            layout.Answer.Status == FileStatus.Done
                ? SendJsonAsync(context, StatusCodes.Status200OK, FilesJson.Described(layout))
                : RefuseAsync(context, layout.Answer)
        );
    }

    private async Task<(bool IsRefused, FileEntry? There)> RefuseChangeAsync(HttpContext context, FilesTarget target)
    {
        if (target.IsOfServices)
        {
            await context.RefuseAsync(
                StatusCodes.Status403Forbidden,
                "what lies below a name of the root that begins with a dot is the services' own: it can be read only."
            );
            return (true, null);
        }

        IHeaderDictionary headers = context.Request.Headers;
        if (headers.IfMatch.Count == 0 && headers.IfNoneMatch.Count == 0)
        {
            return (false, null);
        }

        if (!HttpConditions.CanBeRead(context.Request))
        {
            await context.RefuseAsync(StatusCodes.Status400BadRequest, HttpConditions.UnreadWords);
            return (true, null);
        }

        FileAnswer found = await Gate.CallAsync<IFiles, string, FileAnswer>(
            static (s, path) => s.FindAsync(path),
            target.Path
        );
        if (found.Status is not (FileStatus.Done or FileStatus.NotFound))
        {
            await RefuseAsync(context, found);
            return (true, null);
        }

        bool mayChange = HttpConditions.MayChange(
            context.Request,
            found.Entry is { } entry ? $"{entry.Version}" : null
        );
        if (!mayChange)
        {
            await RefuseAsync(context, found with { Status = FileStatus.OtherVersion });
        }

        return (!mayChange, found.Entry);
    }

    private async Task MakeDirectoryAsync(HttpContext context, FilesTarget target)
    {
        if (context.Request.ContentLength > 0 || context.Request.Headers.TransferEncoding.Count > 0)
        {
            await context.RefuseAsync(
                StatusCodes.Status400BadRequest,
                "a slash behind the path makes a directory, which has no bytes."
            );
            return;
        }

        FileAnswer answer = await Gate.CallAsync<IFiles, string, FileAnswer>(
            static (s, path) => s.MakeDirectoryAsync(path),
            target.Path
        );
        await AnswerMadeAsync(context, answer);
    }

    private async Task PutAsync(HttpContext context, FilesTarget target)
    {
        HttpRequest request = context.Request;
        if (request.Headers.ContentRange.Count > 0 || request.Headers.ContentEncoding.Count > 0)
        {
            await context.RefuseAsync(
                request.Headers.ContentRange.Count > 0
                    ? StatusCodes.Status400BadRequest
                    : StatusCodes.Status415UnsupportedMediaType,
                "a file is put as a whole, and as it is to come back: without Content-Range and Content-Encoding."
            );
            return;
        }

        if (request.ContentLength > _longest)
        {
            await RefuseAsync(context, new FileAnswer(FileStatus.TooLarge));
            return;
        }

        // What cannot become this file is said before it has come.
        FileAnswer there = await Gate.CallAsync<IFiles, string, FileAnswer>(
            static (s, path) => s.FindAsync(path),
            target.Path
        );
        if (
            there is { Status: FileStatus.Done, Entry: { } entry }
            && (entry.IsDirectory || (request.ContentLength is { } length && length != entry.Length))
        )
        {
            await RefuseAsync(
                context,
                there with
                {
                    Status = entry.IsDirectory ? FileStatus.IsDirectory : FileStatus.Exists,
                }
            );
            return;
        }

        var creation = new FileCreation { MediaType = request.ContentType };
        (bool isTaken, FileAnswer answer) = await ReceiveAsync(
            context,
            body => StoreAsync(new ReceivedFile(target.Path, creation, body))
        );
        if (isTaken)
        {
            await AnswerMadeAsync(context, answer);
        }
    }

    private async ValueTask<FileAnswer> StoreAsync(ReceivedFile file)
    {
        try
        {
            return await Gate.CallAsync<IFiles, ReceivedFile, FileAnswer>(static (s, f) => f.WriteAsync(s), file);
        }
        catch (ServiceUnavailableException) when (file.IsBegun)
        {
            // It was stopped in the middle.
            return new FileAnswer(FileStatus.Unknown);
        }
    }

    // Under a condition only the version that fitted it goes.
    private async Task DeleteAsync(HttpContext context, FilesTarget target, FileEntry? there)
    {
        FileAnswer answer = await Gate.CallAsync<IFiles, (FilesTarget Target, ulong Version), FileAnswer>(
            static (s, a) => s.DeleteAsync(a.Target.Path, a.Target.IsRecursive, a.Version),
            (target, there?.Version ?? 0)
        );
        if (answer.Status != FileStatus.Done)
        {
            await RefuseAsync(context, answer);
            return;
        }

        context.Response.StatusCode = StatusCodes.Status204NoContent;
    }

    private Task AnswerMadeAsync(HttpContext context, FileAnswer answer)
    {
        if (answer.Status != FileStatus.Done)
        {
            return RefuseAsync(context, answer);
        }

        FileEntry entry = answer.Entry!;
        context.Response.Headers.ETag = $"\"{entry.Version}\"";
        return SendJsonAsync(context, StatusCodes.Status201Created, FilesJson.Made(entry));
    }

    private Task RefuseAsync(HttpContext context, in FileAnswer answer) =>
        FilesRefusals.RefuseAsync(context, answer, _longest);

    private static async Task SendJsonAsync(HttpContext context, int status, byte[] json)
    {
        context.Response.StatusCode = status;
        context.Response.ContentType = FilesJson.ContentType;
        context.Response.ContentLength = json.Length;
        context.Response.Headers.CacheControl = "no-store";
        if (!HttpMethods.IsHead(context.Request.Method))
        {
            await context.Response.Body.WriteAsync(json, context.RequestAborted);
        }
    }
}
