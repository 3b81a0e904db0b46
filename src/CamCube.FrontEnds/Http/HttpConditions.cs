using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Headers;
using Microsoft.Net.Http.Headers;

namespace CamCube.FrontEnds.Http;

/// <summary>Conditional requests and ranges (RFC 9110, 13 and 14): what the headers of a request mean for an entity.
/// Pure, but for <see cref="Begin"/>.</summary>
public static class HttpConditions
{
    /// <summary>What is said of a request whose conditions cannot be read: such a condition must not be none.</summary>
    public const string UnreadWords =
        "If-Match or If-None-Match cannot be read; ETags stand in quotes, with commas between, or * alone.";

    /// <summary>Whether If-Match and If-None-Match can be read, if they are there.</summary>
    /// <param name="request">The request.</param>
    public static bool CanBeRead(HttpRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        RequestHeaders headers = request.GetTypedHeaders();
        return (request.Headers.IfMatch.Count == 0 || headers.IfMatch is { Count: > 0 })
            && (request.Headers.IfNoneMatch.Count == 0 || headers.IfNoneMatch is { Count: > 0 });
    }

    /// <summary>Whether a change may be made: If-Match and If-None-Match against the version that is there.</summary>
    /// <param name="request">The request.</param>
    /// <param name="tag">The version, without quotes; null: nothing is there.</param>
    public static bool MayChange(HttpRequest request, string? tag)
    {
        ArgumentNullException.ThrowIfNull(request);
        RequestHeaders headers = request.GetTypedHeaders();
        return (headers.IfMatch is not { Count: > 0 } match || Fits(match, tag, weak: false))
            && (headers.IfNoneMatch is not { Count: > 0 } none || !Fits(none, tag, weak: true));
    }

    /// <summary>
    /// Begins the answer to a GET or HEAD: sets the status and all headers of the entity.
    /// </summary>
    /// <param name="context">The request.</param>
    /// <param name="entity">What is there.</param>
    /// <param name="range">The bytes that are wanted; only with true.</param>
    /// <returns>Whether bytes are to follow. False: the answer is complete (HEAD, 304, 412, 416, or nothing in
    /// it).</returns>
    public static bool Begin(HttpContext context, HttpEntity entity, out HttpRange range)
    {
        ArgumentNullException.ThrowIfNull(context);
        RequestHeaders headers = context.Request.GetTypedHeaders();
        HttpResponse response = context.Response;
        range = new HttpRange(0, entity.Length);
        if (entity.Tag is not null)
        {
            response.Headers.ETag = $"\"{entity.Tag}\"";
        }

        response.Headers.AcceptRanges = "bytes";
        if (headers.IfMatch is { Count: > 0 } match && !Fits(match, entity.Tag, weak: false))
        {
            response.StatusCode = StatusCodes.Status412PreconditionFailed;
            response.ContentLength = 0;
            return false;
        }

        if (headers.IfNoneMatch is { Count: > 0 } none && Fits(none, entity.Tag, weak: true))
        {
            response.StatusCode = StatusCodes.Status304NotModified;
            return false;
        }

        response.ContentType = entity.ContentType;
        bool whole =
            !HttpMethods.IsGet(context.Request.Method)
            || (headers.IfRange?.EntityTag is { } only && !Fits([only], entity.Tag, weak: false))
            || headers.IfRange?.LastModified is not null;
        bool? found = whole ? null : HttpRange.TryRead(headers.Range, entity.Length, out range);
        switch (found)
        {
            case false:
                response.StatusCode = StatusCodes.Status416RangeNotSatisfiable;
                response.Headers.ContentRange = $"bytes */{entity.Length}";
                response.ContentLength = 0;
                return false;
            case true:
                response.StatusCode = StatusCodes.Status206PartialContent;
                response.Headers.ContentRange = $"bytes {range.From}-{range.From + range.Length - 1}/{entity.Length}";
                break;
            default:
                range = new HttpRange(0, entity.Length);
                break;
        }

        response.ContentLength = range.Length;
        return range.Length > 0 && !HttpMethods.IsHead(context.Request.Method);
    }

    private static bool Fits(IList<EntityTagHeaderValue> asked, string? tag, bool weak) =>
        tag is not null
        && asked.Any(one =>
            one.Tag == "*" || ((weak || !one.IsWeak) && one.Tag.AsSpan().Trim('"').SequenceEqual(tag.AsSpan()))
        );
}
