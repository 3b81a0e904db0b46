using System.Reflection;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Http;

namespace CamCube.FrontEnds.Http;

/// <summary>A page of a front end: one file in an assembly, with its style and its script in it, each in one element.
/// Nothing else may run in it, by the policy that it is sent with, and it may ask this server only. Any
/// thread.</summary>
public sealed partial class WebPage
{
    private readonly byte[] _page;
    private readonly string _policy;

    /// <summary>A page.</summary>
    /// <param name="assembly">Has the file.</param>
    /// <param name="name">The name of the resource.</param>
    /// <param name="images">Where its pictures may be from, as a policy says it: <c>'self' blob:</c>; empty: it has
    /// none.</param>
    /// <exception cref="ArgumentException">There is no such resource.</exception>
    public WebPage(Assembly assembly, string name, string images = "")
    {
        ArgumentNullException.ThrowIfNull(assembly);
        using Stream stream =
            assembly.GetManifestResourceStream(name)
            ?? throw new ArgumentException($"{assembly.GetName().Name} has no resource {name}.", nameof(name));
        using MemoryStream bytes = new();
        stream.CopyTo(bytes);
        _page = bytes.ToArray();
        string page = Encoding.UTF8.GetString(_page);
        _policy =
            "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self'; "
            + (images.Length > 0 ? $"img-src {images}; " : "")
            + $"style-src {HashOf(page, StylePart())}; script-src {HashOf(page, ScriptPart())}";
    }

    /// <summary>Sends it.</summary>
    /// <param name="context">A GET or HEAD.</param>
    public async Task SendAsync(HttpContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        HttpResponse response = context.Response;
        response.ContentType = "text/html; charset=utf-8";
        response.ContentLength = _page.Length;
        response.Headers.ContentSecurityPolicy = _policy;
        response.Headers.CacheControl = "no-cache";
        response.Headers["Referrer-Policy"] = "no-referrer";
        if (!HttpMethods.IsHead(context.Request.Method))
        {
            await response.Body.WriteAsync(_page, context.RequestAborted).ConfigureAwait(false);
        }
    }

    private static string HashOf(string page, Regex part)
    {
        byte[] text = Encoding.UTF8.GetBytes(part.Match(page).Groups[1].Value);
        return $"'sha256-{Convert.ToBase64String(SHA256.HashData(text))}'";
    }

    [GeneratedRegex("<style>(.*)</style>", RegexOptions.Singleline)]
    private static partial Regex StylePart();

    [GeneratedRegex("<script>(.*)</script>", RegexOptions.Singleline)]
    private static partial Regex ScriptPart();
}
