using Microsoft.AspNetCore.Http;

namespace CamCube.Services.Camdoop.FrontEnds.Http;

/// <summary>What is answered to all who ask the same. Immutable.</summary>
/// <param name="Status">The status of HTTP.</param>
/// <param name="Json">What is there; null: it is refused.</param>
/// <param name="Words">Why, in words for people.</param>
internal sealed record FeedAnswer(int Status, byte[]? Json, string Words)
{
    /// <summary>What is there.</summary>
    public static FeedAnswer Of(byte[] json) => new(StatusCodes.Status200OK, json, "");

    /// <summary>There is nothing.</summary>
    public static FeedAnswer Refused(JobStatus status, string? words) =>
        status switch
        {
            JobStatus.NotFound => new(StatusCodes.Status404NotFound, null, words ?? "there is no such job."),
            JobStatus.BadJob => new(StatusCodes.Status400BadRequest, null, $"{words ?? "it is no name of a job"}."),
            _ => new(StatusCodes.Status503ServiceUnavailable, null, words ?? "too few servers answer now."),
        };
}
