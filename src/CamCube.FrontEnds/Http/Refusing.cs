using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.WebUtilities;

namespace CamCube.FrontEnds.Http;

/// <summary>Refusals as problem details (RFC 9457).</summary>
public static partial class Refusing
{
    private static readonly ProblemJson Json = new(
        new JsonSerializerOptions(JsonSerializerDefaults.Web)
        {
            // "+x" and not an escape for it.
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
            DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        }
    );

    /// <summary>Refuses a request. What its client still sends of a body is thrown away for some seconds, so that it
    /// comes to reading why. Any thread.</summary>
    /// <param name="context">The request; its answer has not begun.</param>
    /// <param name="status">The status.</param>
    /// <param name="detail">What is wrong and how to mend it, in one line for people.</param>
    public static Task RefuseAsync(this HttpContext context, int status, string detail)
    {
        ArgumentNullException.ThrowIfNull(context);
        context.LiftBodyLimit();
        context.Response.StatusCode = status;
        return context.Response.WriteAsJsonAsync(
            new ProblemDetails
            {
                Type = "about:blank",
                Title = ReasonPhrases.GetReasonPhrase(status),
                Status = status,
                Detail = detail,
            },
            Json.ProblemDetails,
            "application/problem+json",
            context.RequestAborted
        );
    }

    /// <summary>
    /// Leaves it to the caller to count a body's bytes, if none were read yet: of one above its own limit Kestrel reads
    /// nothing, not even to throw it away, but breaks the connection off, and a client that is still sending gets a
    /// reset and not the answer. Any thread.
    /// </summary>
    /// <param name="context">The request.</param>
    public static void LiftBodyLimit(this HttpContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (context.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } limit)
        {
            limit.MaxRequestBodySize = null;
        }
    }

    [JsonSerializable(typeof(ProblemDetails))]
    private sealed partial class ProblemJson : JsonSerializerContext;
}
