using System.Net;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace CamCube.FrontEnds.Http;

/// <summary>
/// Refuses requests that a web page somewhere else makes a browser send. A page can rebind its own DNS name to
/// 127.0.0.1, but then the Host header has that name; it can post to this address, but then the Origin header has its
/// own. Any thread.
/// </summary>
/// <param name="allowedHosts">Names that a Host header may have besides localhost and the address itself.</param>
/// <param name="setting">What those are called in the settings, for refusals.</param>
/// <param name="logger">Is told of refusals.</param>
public sealed class RequestGuard(IReadOnlyList<string> allowedHosts, string setting, ILogger logger)
{
    /// <summary>Middleware.</summary>
    public Task InvokeAsync(HttpContext context, RequestDelegate next)
    {
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(next);
        HttpRequest request = context.Request;
        if (!IsOwnName(request.Host.Host, context.Connection.LocalIpAddress))
        {
            HttpLog.ForeignHost(logger, Shown(request.Host.Value));
            return context.RefuseAsync(
                StatusCodes.Status421MisdirectedRequest,
                $"the Host header is none of this host's names; {setting} takes further ones."
            );
        }

        if (ForeignOrigin(request) is { } origin)
        {
            HttpLog.ForeignOrigin(logger, Shown(origin));
            return context.RefuseAsync(
                StatusCodes.Status403Forbidden,
                "requests from pages of another origin are refused."
            );
        }

        return next(context);
    }

    /// <summary>Whether a Host header's name is one that no stranger can have made point here.</summary>
    public bool IsOwnName(string? name, IPAddress? local)
    {
        if (string.IsNullOrEmpty(name))
        {
            return false;
        }

        // A literal address takes no part in DNS: it must only be the one that was dialled, or loopback.
        if (IPAddress.TryParse(name.AsSpan().Trim("[]"), out IPAddress? literal))
        {
            return IPAddress.IsLoopback(literal) || Equals(Plain(literal), Plain(local)) || IsAllowed(name);
        }

        return name.Equals("localhost", StringComparison.OrdinalIgnoreCase) || IsAllowed(name);
    }

    private static IPAddress? Plain(IPAddress? address) =>
        address?.IsIPv4MappedToIPv6 == true ? address.MapToIPv4() : address;

    private static string? ForeignOrigin(HttpRequest request)
    {
        if (request.Headers.Origin is { Count: > 0 } origins)
        {
            string own = $"{request.Scheme}://{request.Host.Value}";
            string? foreign = origins.FirstOrDefault(origin => !own.Equals(origin, StringComparison.OrdinalIgnoreCase));
            if (foreign is not null)
            {
                return foreign;
            }
        }

        // Browsers that leave Origin out of a request still say where it comes from; a link that somebody follows is
        // none of a page's doing.
        bool changes = !HttpMethods.IsGet(request.Method) && !HttpMethods.IsHead(request.Method);
        string? site = request.Headers["Sec-Fetch-Site"];
        return changes && site is not (null or "same-origin" or "none") ? $"({site})" : null;
    }

    /// <summary>A header of a stranger goes into a log line: cut, and without control characters.</summary>
    private static string Shown(string? header) =>
        new([.. (header ?? "").Take(100).Select(c => char.IsControl(c) ? '?' : c)]);

    private bool IsAllowed(string name) =>
        allowedHosts.Any(allowed =>
            allowed.Trim('[', ']').Equals(name.Trim('[', ']'), StringComparison.OrdinalIgnoreCase)
        );
}
