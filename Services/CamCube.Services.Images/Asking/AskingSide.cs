using System.Buffers;
using System.Text;
using CamCube.Calls;
using CamCube.Messaging;
using CamCube.Services.Images.Counting;
using CamCube.Services.Images.Roots;
using CamCube.Services.Images.Storing;
using CamCube.Services.Images.Wire;

namespace CamCube.Services.Images.Asking;

/// <summary>
/// Requests where they come from: brought to the server of their name, again and again until it has answered or the
/// time is over. A picture is sent once to each server that has to have it; afterwards only what became of it is asked.
/// Loop only.
/// </summary>
internal sealed class AskingSide(
    IServer server,
    ImagesOptions options,
    MessageChannel<ImagesHeader> channel,
    Originals originals,
    StoreSide stores,
    VariantSide variants,
    ImagesCounters counters
)
{
    // Others replace it all the time.
    private const int MostTries = 16;
    private readonly ReplyTable<Said> _questions = new(server, 1, static late => late.Content.Return());
    private ulong _last;

    /// <summary>Requests that are open.</summary>
    public int Open => _questions.Open;

    /// <summary>Names a request of this server.</summary>
    public RequestId NextId() => new(server.Coordinate, channel.Run, ++_last);

    /// <summary>Stores a picture.</summary>
    public async ValueTask<ImageAnswer> PutAsync(
        ImagePlace place,
        ReadOnlyMemory<byte> picture,
        ImageCondition condition
    )
    {
        counters.Puts.Add();
        ImageAnswer answer = new(ImageStatus.Busy);
        for (int i = 0; i < MostTries; i++)
        {
            Found found = await originals.FindAsync(place);
            if (!found.IsKnown)
            {
                return new ImageAnswer(found.Status);
            }

            if (!condition.Fits(found.ImageVersion))
            {
                return new ImageAnswer(ImageStatus.Conflict, found.ImageVersion);
            }

            // A conflict says of this request that it was not done, and never will be.
            answer = await StoreAsync(place, picture, new StoreRequest(NextId(), found.Version, place.Name));
            if (answer.Status != ImageStatus.Conflict)
            {
                return answer with { IsNew = found.Status == ImageStatus.NotFound };
            }
        }

        return answer;
    }

    /// <summary>Deletes an image.</summary>
    public async ValueTask<ImageAnswer> DeleteAsync(ImagePlace place, ImageCondition condition, Thumbnails thumbnails)
    {
        for (int i = 0; i < MostTries; i++)
        {
            Found found = await originals.FindAsync(place);
            if (!found.IsKnown)
            {
                return new ImageAnswer(found.Status);
            }

            if (!condition.Fits(found.ImageVersion))
            {
                return new ImageAnswer(ImageStatus.Conflict, found.ImageVersion);
            }

            if (found.Record is null)
            {
                return new ImageAnswer(ImageStatus.NotFound);
            }

            RequestId id = NextId();
            ImageAnswer answer = await originals.DeleteAsync(place, found.Version, id);
            if (answer.Status == ImageStatus.Unknown)
            {
                answer = await SettleAsync(place, id);
            }

            if (answer.Status == ImageStatus.Done)
            {
                ulong version = found.Version;
                server.Loop.Run(() => thumbnails.DropAsync(place, version, Names));
            }

            if (answer.Status != ImageStatus.Conflict)
            {
                return answer;
            }
        }

        return new ImageAnswer(ImageStatus.Busy);
    }

    // A deletion of which the store does not know what came of it: it is there, or nobody knows.
    private async ValueTask<ImageAnswer> SettleAsync(ImagePlace place, RequestId id)
    {
        Found found = await originals.FindAsync(place);
        return found.IsDeletionBy(id)
            ? new ImageAnswer(ImageStatus.Done, found.Version)
            : new ImageAnswer(ImageStatus.Unknown);
    }

    /// <summary>Gets a variant.</summary>
    public async ValueTask<ImageAnswer> GetVariantAsync(ImagePlace place, int variant, IBufferWriter<byte> into)
    {
        long until = server.NowNanos + (long)options.Timeout.TotalNanoseconds;
        if (server.Topology.IsRoot(place.Key))
        {
            return await variants.GetAsync(place, variant, into);
        }

        if (!_questions.TryAsk(out Replies<Said>? question))
        {
            return new ImageAnswer(ImageStatus.Busy);
        }

        using Replies<Said> ends = question;
        byte[] content = [(byte)variant, .. Encoding.UTF8.GetBytes(place.Name)];
        var header = new ImagesHeader { Question = question.Id, Kind = ImagesKind.Fetch };
        for (bool isFirst = true; server.NowNanos < until; isFirst = false)
        {
            counters.Retries.Add(isFirst ? 0 : 1);
            if (isFirst || !IsArriving(question.Id))
            {
                channel.Send(header, content, default, server.Topology.RootOf(place.Key));
            }

            WaitResult result = await question.WaitAsync(1, options.Silence);
            if (result == WaitResult.Stopped)
            {
                break;
            }

            if (result != WaitResult.Enough)
            {
                continue;
            }

            Said said = question.Take(0);
            bool isRead = AnswerFormat.TryRead(said.Content.Span, out ImageAnswer answer, out ReadOnlySpan<byte> bytes);
            if (isRead && answer.Status == ImageStatus.Done)
            {
                into.Write(bytes);
            }

            said.Content.Return();
            if (isRead)
            {
                return answer;
            }

            question.Clear();
        }

        return new ImageAnswer(ImageStatus.Unavailable);
    }

    /// <summary>Something that answers a question. False: it is none.</summary>
    public bool OnSaid(in IncomingMessage<ImagesHeader> message)
    {
        ulong question = message.Header.Question;
        if (_questions.IsOpen(question))
        {
            _questions.TryAdd(question, new Said(message.Header.Kind, channel.TakeContent(message)));
        }

        return true;
    }

    /// <summary>Whether an answer that begins to arrive is still wanted.</summary>
    public bool IsWanted(in ImagesHeader header) => _questions.IsOpen(header.Question);

    private string[] Names { get; } = [.. options.Made.Select(static variant => variant.Name)];

    private bool IsArriving(ulong question) =>
        channel.IsArriving(question, static (id, h) => h.Question == id && h.Kind == ImagesKind.Answer);

    private async ValueTask<ImageAnswer> StoreAsync(
        ImagePlace place,
        ReadOnlyMemory<byte> picture,
        StoreRequest request
    )
    {
        if (server.Topology.IsRoot(place.Key))
        {
            return await stores.StoreAsync(request, place, picture);
        }

        if (!_questions.TryAsk(out Replies<Said>? question))
        {
            return new ImageAnswer(ImageStatus.Busy);
        }

        using Replies<Said> ends = question;
        var sending = new Sending(request.ToBytes(), picture);
        try
        {
            return await StoreAsync(place, request, question, sending);
        }
        finally
        {
            channel.Cancel(sending.Ticket);
        }
    }

    private async ValueTask<ImageAnswer> StoreAsync(
        ImagePlace place,
        StoreRequest request,
        Replies<Said> question,
        Sending sending
    )
    {
        long until = server.NowNanos + (long)options.Timeout.TotalNanoseconds;
        while (server.NowNanos < until)
        {
            Coordinate root = server.Topology.RootOf(place.Key);
            if (root == server.Coordinate)
            {
                // It has become this one meanwhile.
                sending.Attempts++;
                return CertainOf(await stores.StoreAsync(request, place, sending.Picture), sending);
            }

            Send(root, question.Id, sending);
            WaitResult result = await question.WaitAsync(1, options.Silence);
            if (result == WaitResult.Stopped)
            {
                break;
            }

            if (result != WaitResult.Enough)
            {
                continue;
            }

            Said said = question.Take(0);
            bool isRead = AnswerFormat.TryRead(said.Content.Span, out ImageAnswer answer, out _);
            said.Content.Return();
            question.Clear();
            if (said.Kind == ImagesKind.Resend)
            {
                sending.To = null;
            }
            else if (said.Kind == ImagesKind.Working)
            {
                // It says how it ended; for a while there is nothing to ask for.
                sending.Rests = true;
            }
            else if (isRead)
            {
                return CertainOf(answer, sending);
            }
        }

        return new ImageAnswer(ImageStatus.Unknown);
    }

    // What one attempt was not another may have been, or may yet be; also if something else is there by now.
    private static ImageAnswer CertainOf(in ImageAnswer answer, Sending sending) =>
        answer.Status == ImageStatus.Done || sending.Attempts <= 1 ? answer : new ImageAnswer(ImageStatus.Unknown);

    private void Send(Coordinate root, ulong question, Sending sending)
    {
        if (sending.To != root)
        {
            channel.Cancel(sending.Ticket);
            counters.Retries.Add(sending.To is null ? 0 : 1);
            var store = new ImagesHeader { Question = question, Kind = ImagesKind.Store };
            sending.Ticket = channel.Send(store, sending.Head, sending.Picture, root);
            (sending.To, sending.Rests) = (root, false);
            sending.Attempts++;
        }
        else if (sending.Rests)
        {
            sending.Rests = false;
        }
        else if (!channel.IsSending(sending.Ticket))
        {
            var poll = new ImagesHeader { Question = question, Kind = ImagesKind.Poll };
            channel.Send(poll, sending.Head, default, root);
        }
    }

    /// <summary>A picture on its way.</summary>
    private sealed class Sending(byte[] head, ReadOnlyMemory<byte> picture)
    {
        public byte[] Head => head;

        public ReadOnlyMemory<byte> Picture => picture;

        /// <summary>Who has been sent it; null: nobody who has it still.</summary>
        public Coordinate? To { get; set; }

        public MessageTicket Ticket { get; set; }

        /// <summary>How often it was sent.</summary>
        public int Attempts { get; set; }

        /// <summary>Nothing is asked for a while.</summary>
        public bool Rests { get; set; }
    }
}
