using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.WebUtilities;

namespace CamCube.Hosting.Http;

/// <summary>Errors as problem details (RFC 9457).</summary>
/// <param name="Type">Always about:blank: the status says what kind it is.</param>
/// <param name="Title">The status in words.</param>
/// <param name="Status">The status.</param>
/// <param name="Detail">What is wrong, for people.</param>
internal sealed record Problem(string Type, string Title, int Status, string Detail)
{
    /// <summary>Answers a request with a problem.</summary>
    public static Task WriteAsync(HttpContext context, int status, string detail)
    {
        context.Response.StatusCode = status;
        return context.Response.WriteAsJsonAsync(
            new Problem("about:blank", ReasonPhrases.GetReasonPhrase(status), status, detail),
            StatusJson.Options,
            "application/problem+json",
            context.RequestAborted
        );
    }
}
