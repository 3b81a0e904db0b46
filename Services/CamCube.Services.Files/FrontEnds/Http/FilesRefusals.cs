using CamCube.FrontEnds.Http;
using Microsoft.AspNetCore.Http;

namespace CamCube.Services.Files.FrontEnds.Http;

/// <summary>The answers to what was not done, in words (docs/files.md). Any thread.</summary>
internal static class FilesRefusals
{
    private const string ASecond = "1";

    /// <summary>Answers an operation that was not done.</summary>
    /// <param name="context">The request; its answer has not begun.</param>
    /// <param name="answer">How it ended.</param>
    /// <param name="longest">Most bytes of a file.</param>
    public static Task RefuseAsync(HttpContext context, in FileAnswer answer, long longest)
    {
        (int status, string detail) = Words(answer, longest);
        if (status == StatusCodes.Status503ServiceUnavailable)
        {
            context.Response.Headers.RetryAfter = ASecond;
        }

        context.Response.Headers.CacheControl = "no-store";
        return context.RefuseAsync(status, answer.Words is { Length: > 0 } more ? $"{detail} {more}" : detail);
    }

    private static (int Status, string Detail) Words(in FileAnswer answer, long longest) =>
        answer.Status switch
        {
            FileStatus.NotFound => (StatusCodes.Status404NotFound, "there is no such file or directory."),
            FileStatus.Exists => (
                StatusCodes.Status409Conflict,
                "there is a file of that name, with other bytes; files are written once. Nothing was changed."
            ),
            FileStatus.IsDirectory => (StatusCodes.Status409Conflict, "that is a directory; nothing was changed."),
            FileStatus.NotDirectory => (
                StatusCodes.Status409Conflict,
                "that, or one of the names above it, is a file and no directory; nothing was changed."
            ),
            FileStatus.NotEmpty => (
                StatusCodes.Status409Conflict,
                "the directory has something in it (?recursive deletes that, too); nothing was changed."
            ),
            FileStatus.BadPath => (StatusCodes.Status400BadRequest, "that is no path of a file:"),
            FileStatus.TooLarge => (
                StatusCodes.Status413PayloadTooLarge,
                $"a file has {longest:N0} bytes at most (settings MostBytes and ChunkBytes of files); nothing was "
                    + "stored."
            ),
            FileStatus.Full => (
                StatusCodes.Status507InsufficientStorage,
                "a disk has no room for it; nothing was changed."
            ),
            FileStatus.OtherVersion => (
                StatusCodes.Status412PreconditionFailed,
                "what is there has another version; nothing was changed."
            ),
            FileStatus.OverQuota => (
                StatusCodes.Status507InsufficientStorage,
                "all files would be more than they may be (setting Quota of files); nothing was stored."
            ),
            FileStatus.TooSlow => (
                StatusCodes.Status408RequestTimeout,
                "the file took longer to come than half of what chunks are kept without it (setting OrphanAge of "
                    + "files); nothing was stored."
            ),
            FileStatus.BadCursor => (
                StatusCodes.Status400BadRequest,
                "the list does not go on from there: the cursor is none, was cut, or is of another list."
            ),
            FileStatus.Busy => (
                StatusCodes.Status503ServiceUnavailable,
                "others changed the same name each time it was tried; nothing was changed. Try again."
            ),
            FileStatus.DataAway => (
                StatusCodes.Status503ServiceUnavailable,
                "it exists, and no server that has it answers now."
            ),
            FileStatus.Unknown => (
                StatusCodes.Status504GatewayTimeout,
                "whether it was done is not known: it was done once, is done later, or never. The same request again "
                    + "changes nothing twice."
            ),
            _ => (
                StatusCodes.Status503ServiceUnavailable,
                "too few of the servers that have it answer; nothing was done, and nothing will be."
            ),
        };
}
