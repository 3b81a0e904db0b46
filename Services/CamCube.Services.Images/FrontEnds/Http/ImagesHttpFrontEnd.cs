using System.Security.Cryptography;
using CamCube.FrontEnds.Http;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Logging;

namespace CamCube.Services.Images.FrontEnds.Http;

/// <summary>
/// The image store over HTTP, as docs/images.md describes it: <c>POST /images</c>, <c>PUT|GET|HEAD|DELETE
/// /images/{name}</c>, <c>GET|HEAD /images/{name}/{variant}</c>, <c>GET /images/{name}/info</c>, and a page at
/// <c>/</c>. Handlers run on pool threads, and ask the store through the gate.
/// </summary>
/// <param name="gate">The server.</param>
/// <param name="options">Settings.</param>
/// <param name="logger">Is told what goes wrong.</param>
/// <param name="time">When signed addresses end.</param>
[FrontEnd("images", 8300)]
public sealed class ImagesHttpFrontEnd(
    IServerGate gate,
    ImagesHttpOptions options,
    ILogger<ImagesHttpFrontEnd> logger,
    TimeProvider time
) : HttpFrontEnd(gate, options, logger, time)
{
    // Others replace it each time.
    private const int MostTries = 16;
    private const int NameBytes = 20;
    private const string Info = "info";
    private static readonly string[] Reads = ["GET", "HEAD"];
    private static readonly string[] Posts = ["POST"];
    private static readonly string[] All = ["GET", "HEAD", "PUT", "DELETE"];
    private readonly UrlGuard _signed = UrlGuard.Of(options, time);
    private int _longest;

    // Which image is meant is in the request line as it was sent, and not in what routing makes of it.
    /// <inheritdoc/>
    protected override void Map(IEndpointRouteBuilder routes) => routes.Map("{**path}", HandleAsync);

    private async Task HandleAsync(HttpContext context)
    {
        string raw = context.Features.Get<IHttpRequestFeature>()!.RawTarget;
        string method = context.Request.Method;
        bool isRead = HttpMethods.IsGet(method) || HttpMethods.IsHead(method);
        if (!ImagesTarget.TryRead(raw, out ImagesTarget target, out string? wrong))
        {
            await (
                wrong is null
                    ? context.RefuseAsync(StatusCodes.Status404NotFound, "images are at /images/{name}.")
                    : context.RefuseAsync(StatusCodes.Status400BadRequest, wrong)
            );
            return;
        }

        string[] allowed =
            target.IsPage || target.IsIcon || target.Variant is not null ? Reads
            : target.Name is null ? Posts
            : All;
        if (!allowed.Contains(method))
        {
            string names = string.Join(", ", allowed);
            context.Response.Headers.Allow = names;
            await context.RefuseAsync(StatusCodes.Status405MethodNotAllowed, $"there are {names} here.");
        }
        else if (target.IsPage)
        {
            await ImagesPage.Page.SendAsync(context);
        }
        else if (target.IsIcon)
        {
            // A 404 would be in the log of every browser, and asked for again with every page.
            context.Response.StatusCode = StatusCodes.Status204NoContent;
            context.Response.Headers.CacheControl = "public, max-age=86400";
        }
        else if ((wrong = _signed.WrongOf(method, target)) is not null)
        {
            await context.RefuseAsync(StatusCodes.Status403Forbidden, wrong);
        }
        else if (!HttpConditions.CanBeRead(context.Request))
        {
            await context.RefuseAsync(StatusCodes.Status400BadRequest, HttpConditions.UnreadWords);
        }
        else
        {
            await AnswerAsync(context, target, isRead);
        }
    }

    private async Task AnswerAsync(HttpContext context, ImagesTarget target, bool isRead)
    {
        // A constant, which only the loop may ask for.
        if (_longest == 0)
        {
            _longest = await Gate.CallAsync<IImageStore, int, int>(static (s, _) => new(s.MostBytes), 0);
        }

        await (
            target.Name is null ? PutAsync(context, RandomNumberGenerator.GetHexString(2 * NameBytes, true), true)
            : target.Variant == Info ? DescribeAsync(context, target.Name)
            : target.Variant is not null ? SendVariantAsync(context, target)
            : isRead ? SendOriginalAsync(context, target)
            : HttpMethods.IsPut(context.Request.Method) ? PutAsync(context, target.Name, false)
            : DeleteAsync(context, target.Name)
        );
    }

    private async Task PutAsync(HttpContext context, string name, bool isGiven)
    {
        HttpRequest request = context.Request;
        if (!isGiven && ImageName.IsGiven(name))
        {
            await context.RefuseAsync(
                StatusCodes.Status400BadRequest,
                "names of 40 hexadecimal digits are given by POST /images, and such images are never replaced."
            );
            return;
        }

        if (request.Headers.ContentRange.Count > 0 || request.Headers.ContentEncoding.Count > 0)
        {
            await context.RefuseAsync(
                request.Headers.ContentRange.Count > 0
                    ? StatusCodes.Status400BadRequest
                    : StatusCodes.Status415UnsupportedMediaType,
                "a picture is put as a whole, and as it is to come back: without Content-Range and Content-Encoding."
            );
            return;
        }

        if (request.ContentLength > _longest)
        {
            await RefuseAsync(context, new ImageAnswer(ImageStatus.TooLarge));
            return;
        }

        ImageAnswer found = await Gate.CallAsync<IImageStore, string, ImageAnswer>(
            static (s, n) => s.FindAsync(n),
            name
        );
        if (!HttpConditions.MayChange(request, TagOf(found)))
        {
            // Before the picture has come.
            await RefuseAsync(context, new ImageAnswer(ImageStatus.Conflict, found.Version));
            return;
        }

        if (await TakeAsync(context, name, found) is { } answer)
        {
            await AnswerPutAsync(context, name, answer);
        }
        else
        {
            await RefuseForMemoryAsync(context);
        }
    }

    // Its room is given back before it is answered: it is of no use to who reads the answer, or does not. Null: there
    // was none.
    private async Task<ImageAnswer?> TakeAsync(HttpContext context, string name, ImageAnswer found)
    {
        using HeldBody picture = Hold();
        return !await WholeBody.TryReadAsync(context, picture, _longest) ? new ImageAnswer(ImageStatus.TooLarge)
            : picture.LacksRoom ? null
            : await ChangeAsync(context, name, found, picture);
    }

    private Task AnswerPutAsync(HttpContext context, string name, ImageAnswer answer)
    {
        if (answer.Status != ImageStatus.Done)
        {
            return RefuseAsync(context, answer);
        }

        context.Response.StatusCode = answer.IsNew ? StatusCodes.Status201Created : StatusCodes.Status200OK;
        context.Response.Headers.ETag = $"\"{answer.Version}\"";
        context.Response.Headers.Location = $"/images/{Uri.EscapeDataString(name)}";
        return SendJsonAsync(context, ImagesJson.Stored(name, answer));
    }

    private async Task DeleteAsync(HttpContext context, string name)
    {
        ImageAnswer answer = await ChangeAsync(context, name, null, null);
        if (answer.Status != ImageStatus.Done)
        {
            await RefuseAsync(context, answer);
            return;
        }

        context.Response.StatusCode = StatusCodes.Status204NoContent;
    }

    // Each time the store decides, so that what was asked holds when the change is made.
    private async Task<ImageAnswer> ChangeAsync(HttpContext context, string name, ImageAnswer? seen, HeldBody? picture)
    {
        bool hasConditions = context.Request.Headers.IfMatch.Count > 0 || context.Request.Headers.IfNoneMatch.Count > 0;
        ImageAnswer answer = default;
        for (int i = 0; i < MostTries; i++)
        {
            ImageAnswer found =
                seen ?? await Gate.CallAsync<IImageStore, string, ImageAnswer>(static (s, n) => s.FindAsync(n), name);
            seen = null;
            if (found.Status is not (ImageStatus.Done or ImageStatus.NotFound))
            {
                return found;
            }

            if (!HttpConditions.MayChange(context.Request, TagOf(found)))
            {
                return new ImageAnswer(ImageStatus.Conflict, found.Version);
            }

            ImageCondition condition = hasConditions ? ImageCondition.Is(found.Version) : default;
            answer = await ChangeAsync(name, condition, picture);
            if (answer.Status != ImageStatus.Conflict)
            {
                return answer;
            }
        }

        return answer;
    }

    private async Task<ImageAnswer> ChangeAsync(string name, ImageCondition condition, HeldBody? picture)
    {
        if (picture is null)
        {
            return await Gate.CallAsync<IImageStore, (string Name, ImageCondition Condition), ImageAnswer>(
                static (s, a) => s.DeleteAsync(a.Name, a.Condition),
                (name, condition)
            );
        }

        try
        {
            return await Gate.CallAsync<
                IImageStore,
                (string Name, ImageCondition Condition, ReadOnlyMemory<byte> Picture),
                ImageAnswer
            >(static (s, a) => s.PutAsync(a.Name, a.Picture, a.Condition), (name, condition, picture.Written));
        }
        catch (Exception e)
        {
            // The store may still read it.
            picture.Abandon();
            if (e is ServiceUnavailableException)
            {
                return new ImageAnswer(ImageStatus.Unknown);
            }

            throw;
        }
    }

    private async Task DescribeAsync(HttpContext context, string name)
    {
        ImageInfo info = await Gate.CallAsync<IImageStore, string, ImageInfo>(
            static (s, n) => s.DescribeAsync(n),
            name
        );
        if (info.Image.Status != ImageStatus.Done)
        {
            await RefuseAsync(context, info.Image);
            return;
        }

        context.Response.Headers.ETag = $"\"{info.Image.Version}\"";
        await SendJsonAsync(context, ImagesJson.Described(name, info, Gate.Shape));
    }

    private async Task SendOriginalAsync(HttpContext context, ImagesTarget target)
    {
        IImageReader reader = await Gate.CallAsync<IImageStore, string, IImageReader>(
            static (s, n) => s.OpenReadAsync(n),
            target.Name!
        );
        if (reader.Answer.Status != ImageStatus.Done)
        {
            await RefuseAsync(context, reader.Answer);
            return;
        }

        Describe(context, target, reader.Answer);
        await AnswerAsync(
            context,
            new HttpEntity($"{reader.Answer.Version}", reader.Answer.Length, reader.Answer.MediaType!),
            async (range, body) =>
                await Gate.CallAsync<IImageStore, LongImage, bool>(
                    static (_, b) => b.SendAsync(),
                    new LongImage(reader, range, body)
                )
        );
    }

    private async Task SendVariantAsync(HttpContext context, ImagesTarget target)
    {
        using HeldBody bytes = Hold();
        ImageAnswer answer;
        try
        {
            answer = await Gate.CallAsync<IImageStore, (string Name, string Variant, HeldBody Into), ImageAnswer>(
                static (s, a) => s.GetVariantAsync(a.Name, a.Variant, a.Into),
                (target.Name!, target.Variant!, bytes)
            );
        }
        catch
        {
            // The store may still write.
            bytes.Abandon();
            throw;
        }

        if (answer.Status != ImageStatus.Done)
        {
            await RefuseAsync(context, answer);
        }
        else if (bytes.LacksRoom)
        {
            await RefuseForMemoryAsync(context);
        }
        else
        {
            Describe(context, target, answer);
            var entity = new HttpEntity($"{answer.Version}", bytes.Length, answer.MediaType!);
            if (HttpConditions.Begin(context, entity, out HttpRange range))
            {
                await context.Response.Body.WriteAsync(
                    bytes.Written.Slice((int)range.From, (int)range.Length),
                    context.RequestAborted
                );
            }
        }
    }

    // Strangers have put it here: it must not act as this server's own page.
    private void Describe(HttpContext context, ImagesTarget target, in ImageAnswer answer)
    {
        IHeaderDictionary headers = context.Response.Headers;
        headers.ContentSecurityPolicy = "default-src 'none'; sandbox";
        headers["CamCube-Size"] = $"{answer.Width}x{answer.Height}";
        headers.CacheControl =
            _signed.SecondsLeft(target) is { } left ? $"private, max-age={left}"
            : ImageName.IsGiven(target.Name!) ? "public, max-age=31536000, immutable"
            : "no-cache";
    }

    private Task RefuseAsync(HttpContext context, in ImageAnswer answer) =>
        ImagesRefusals.RefuseAsync(context, answer, _longest);

    private static string? TagOf(in ImageAnswer answer) => answer.Version == 0 ? null : $"{answer.Version}";

    private static async Task SendJsonAsync(HttpContext context, byte[] json)
    {
        context.Response.ContentType = ImagesJson.ContentType;
        context.Response.ContentLength = json.Length;
        context.Response.Headers.CacheControl = "no-store";
        if (!HttpMethods.IsHead(context.Request.Method))
        {
            await context.Response.Body.WriteAsync(json, context.RequestAborted);
        }
    }
}
