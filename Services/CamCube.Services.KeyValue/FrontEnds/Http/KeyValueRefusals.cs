using CamCube.FrontEnds.Http;
using Microsoft.AspNetCore.Http;

namespace CamCube.Services.KeyValue.FrontEnds.Http;

/// <summary>The answers to what was not done, in words (docs/key-value.md). Any thread.</summary>
internal static class KeyValueRefusals
{
    private const string ASecond = "1";

    /// <summary>Answers an operation that was not done.</summary>
    /// <param name="context">The request.</param>
    /// <param name="answer">How it ended.</param>
    /// <param name="longest">The longest value.</param>
    /// <param name="failure">Why the server that was asked keeps no part of the store; null: it does.</param>
    public static Task RefuseAsync(HttpContext context, KeyValueAnswer answer, int longest, string? failure = null)
    {
        (int status, string detail) = Words(answer, longest);
        if (answer.Status == KeyValueStatus.Conflict && answer.Version != 0)
        {
            context.Response.Headers.ETag = $"\"{answer.Version}\"";
        }

        if (status == StatusCodes.Status503ServiceUnavailable)
        {
            context.Response.Headers.RetryAfter = ASecond;
        }

        return context.RefuseAsync(
            status,
            failure is null ? detail : $"{detail} This server keeps no part of the store: {failure}"
        );
    }

    /// <summary>Answers a change of which nobody knows whether it was made.</summary>
    public static Task RefuseUnknownAsync(HttpContext context) =>
        RefuseAsync(context, new KeyValueAnswer(KeyValueStatus.Unknown), 0);

    private static (int Status, string Detail) Words(KeyValueAnswer answer, int longest) =>
        answer.Status switch
        {
            KeyValueStatus.NotFound => (StatusCodes.Status404NotFound, "there is no such key."),
            KeyValueStatus.Conflict => (
                StatusCodes.Status412PreconditionFailed,
                answer.Version == 0
                    ? "there is no such key, and the condition asks for one; nothing was changed."
                    : $"the version that is there is \"{answer.Version}\"; nothing was changed."
            ),
            KeyValueStatus.NotANumber => (
                StatusCodes.Status409Conflict,
                "the value that is there is no number of 64 bits in decimal digits; nothing was changed."
            ),
            KeyValueStatus.Overflow => (
                StatusCodes.Status409Conflict,
                "the sum has no place in 64 bits; nothing was changed."
            ),
            KeyValueStatus.TooLarge => (
                StatusCodes.Status413PayloadTooLarge,
                $"a value has {longest:N0} bytes at most; nothing was changed."
            ),
            KeyValueStatus.Full => (
                StatusCodes.Status507InsufficientStorage,
                "a disk has no room for it; nothing was changed."
            ),
            KeyValueStatus.Unavailable => (
                StatusCodes.Status503ServiceUnavailable,
                "too few of the servers that have this key answer; nothing was done, and nothing will be."
            ),
            KeyValueStatus.DataAway => (
                StatusCodes.Status503ServiceUnavailable,
                "the key exists, and no server that has its value answers now."
            ),
            KeyValueStatus.Unknown => (
                StatusCodes.Status504GatewayTimeout,
                "whether it was done is not known: it was done once, is done later, or never. Ask for the version, or "
                    + "do it again with If-Match or If-None-Match."
            ),
            KeyValueStatus.BadCursor => (
                StatusCodes.Status400BadRequest,
                "the list does not go on from this cursor: it is cut, or of another list. Begin without one."
            ),
            KeyValueStatus.BadKey => (
                StatusCodes.Status400BadRequest,
                "there is no such table in this cube (setting Tables of kv); nothing was done."
            ),
            _ => (StatusCodes.Status400BadRequest, $"the store refused it: {answer.Status}."),
        };
}
