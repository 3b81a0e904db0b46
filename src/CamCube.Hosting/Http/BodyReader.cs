using System.IO.Pipelines;
using CamCube.FrontEnds.Http;
using CamCube.Hosting.Settings;
using CamCube.ValueTexts;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace CamCube.Hosting.Http;

/// <summary>Reads what was sent with a request, in bounds of size and time.</summary>
internal sealed class BodyReader(HttpOptions options, TimeProvider time)
{
    /// <summary>Whether there may be something to read.</summary>
    public static bool HasBody(HttpContext context) =>
        context.Features.Get<IHttpRequestBodyDetectionFeature>() is { CanHaveBody: true };

    /// <summary>The body; null if the request was answered because it is too large, broken or late.</summary>
    /// <exception cref="OperationCanceledException">The client has gone, or the host stops.</exception>
    public async Task<ReadOnlyMemory<byte>?> ReadAsync(HttpContext context, CancellationToken cancel)
    {
        if (context.Request.ContentLength > options.CommandBodyLimit)
        {
            await TooLargeAsync(context);
            return null;
        }

        context.LiftBodyLimit();
        using CancellationTokenSource late = new(options.CommandBodyTimeout, time);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancel, late.Token);
        try
        {
            return await ReadAllAsync(context, end.Token);
        }
        catch (BadHttpRequestException e)
        {
            await context.RefuseAsync(e.StatusCode, $"the body cannot be read: {e.Message}");
        }
        catch (OperationCanceledException) when (!cancel.IsCancellationRequested)
        {
            context.Response.Headers.Connection = "close";
            await context.RefuseAsync(
                StatusCodes.Status408RequestTimeout,
                $"the body did not come within {DurationText.Format(options.CommandBodyTimeout)} "
                    + $"(CamCube:Http:CommandBodyTimeout)."
            );
        }

        return null;
    }

    private async Task<ReadOnlyMemory<byte>?> ReadAllAsync(HttpContext context, CancellationToken cancel)
    {
        // It grows as bytes come, whatever was announced. A read that is given up has to be told so, or the server
        // cannot end the request.
        MemoryStream body = new();
        PipeReader reader = context.Request.BodyReader;
        await using CancellationTokenRegistration end = cancel.UnsafeRegister(
            static r => ((PipeReader)r!).CancelPendingRead(),
            reader
        );
        while (true)
        {
            ReadResult read = await reader.ReadAsync(CancellationToken.None);
            if (read.IsCanceled)
            {
                reader.AdvanceTo(read.Buffer.Start);
                cancel.ThrowIfCancellationRequested();
            }

            if (body.Length + read.Buffer.Length > options.CommandBodyLimit)
            {
                reader.AdvanceTo(read.Buffer.End);
                await TooLargeAsync(context);
                return null;
            }

            foreach (ReadOnlyMemory<byte> part in read.Buffer)
            {
                body.Write(part.Span);
            }

            reader.AdvanceTo(read.Buffer.End);
            if (read.IsCompleted)
            {
                return body.GetBuffer().AsMemory(0, (int)body.Length);
            }
        }
    }

    private Task TooLargeAsync(HttpContext context)
    {
        // What still comes is not read.
        context.Response.Headers.Connection = "close";
        return context.RefuseAsync(
            StatusCodes.Status413PayloadTooLarge,
            $"the body has more than {SizeText.Format(options.CommandBodyLimit)} (CamCube:Http:CommandBodyLimit)."
        );
    }
}
