using CamCube.FrontEnds.Http;
using Microsoft.AspNetCore.Http;

namespace CamCube.Services.Images.FrontEnds.Http;

/// <summary>The answers to what was not done, in words (docs/images.md). Any thread.</summary>
internal static class ImagesRefusals
{
    private const string ASecond = "1";

    /// <summary>Answers an operation that was not done.</summary>
    /// <param name="context">The request; its answer has not begun.</param>
    /// <param name="answer">How it ended.</param>
    /// <param name="longest">Most bytes of a picture.</param>
    public static Task RefuseAsync(HttpContext context, in ImageAnswer answer, int longest)
    {
        (int status, string detail) = Words(answer, longest);
        if (answer.Status == ImageStatus.Conflict && answer.Version != 0)
        {
            context.Response.Headers.ETag = $"\"{answer.Version}\"";
        }

        if (status == StatusCodes.Status503ServiceUnavailable)
        {
            context.Response.Headers.RetryAfter = ASecond;
        }

        context.Response.Headers.CacheControl = "no-store";
        return context.RefuseAsync(status, answer.Words is { Length: > 0 } more ? $"{detail} {more}" : detail);
    }

    private static (int Status, string Detail) Words(in ImageAnswer answer, int longest) =>
        answer.Status switch
        {
            ImageStatus.NotFound => (StatusCodes.Status404NotFound, "there is no such image."),
            ImageStatus.NoSuchVariant => (
                StatusCodes.Status404NotFound,
                "there is no such variant (setting Variants of images)."
            ),
            ImageStatus.Conflict => (
                StatusCodes.Status412PreconditionFailed,
                answer.Version == 0
                    ? "there is no such image, and the condition asks for one; nothing was changed."
                    : $"the version that is there is \"{answer.Version}\"; nothing was changed."
            ),
            ImageStatus.BadName => (StatusCodes.Status400BadRequest, "that is no name of an image:"),
            ImageStatus.UnknownType => (
                StatusCodes.Status415UnsupportedMediaType,
                "the bytes are no JPEG, PNG, WebP or GIF; nothing was stored."
            ),
            ImageStatus.Undecodable => (
                StatusCodes.Status422UnprocessableEntity,
                "the picture cannot be decoded: it is damaged or cut off, or its worker needs more memory or time than "
                    + "it may have; nothing was stored."
            ),
            ImageStatus.TooLarge => (
                StatusCodes.Status413PayloadTooLarge,
                $"a picture has {longest:N0} bytes at most (setting MostBytes of images); nothing was stored."
            ),
            ImageStatus.TooManyPixels => (
                StatusCodes.Status422UnprocessableEntity,
                "the picture has too many pixels, or too long a side (settings MostPixels and LongestSide of images); "
                    + "nothing was stored."
            ),
            ImageStatus.Busy => (
                StatusCodes.Status503ServiceUnavailable,
                "too much waits already; nothing was changed, try again."
            ),
            ImageStatus.Full => (
                StatusCodes.Status507InsufficientStorage,
                "a disk has no room for it; nothing was changed."
            ),
            ImageStatus.DataAway => (
                StatusCodes.Status503ServiceUnavailable,
                "the image exists, and no server that has it answers now."
            ),
            ImageStatus.Unknown => (
                StatusCodes.Status504GatewayTimeout,
                "whether it was done is not known: it was done once, is done later, or never. The same request again "
                    + "changes nothing twice."
            ),
            ImageStatus.NoWorkers => (
                StatusCodes.Status501NotImplemented,
                "this server has nothing to make variants with; originals are stored and read as ever."
            ),
            _ => (
                StatusCodes.Status503ServiceUnavailable,
                "too few of the servers that have this name answer; nothing was done, and nothing will be."
            ),
        };
}
