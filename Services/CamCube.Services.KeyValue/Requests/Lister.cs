using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>
/// Lists keys of a group that this server leads, bucket by bucket. It begins once a majority has confirmed that, so
/// that nothing that was answered before is missed; what is changed while it goes on stays in its bucket. Loop only.
/// </summary>
internal sealed class Lister(KeyHasher hasher, Answerer answers, TimeSpan pause)
{
    // One answer: at most so much and a bucket.
    private const int MostBytes = 256 << 10;
    private const int MostLooks = 2_048;

    /// <summary>Says a part of a list.</summary>
    public async ValueTask SayAsync(MemberHost host, Member member, Waiter to, Listing listing)
    {
        GroupEpoch? epoch = member.State.Epoch;
        var page = new Page(host, member.Id, new KeyReader(host.LogOf(member.Id.Number)!), new WireWriter());
        List<UInt128> names = [];
        ulong bucket = listing.Ask.Index == hasher.Name ? listing.Ask.Bucket : 0;
        int looks = 0;
        do
        {
            names.Clear();
            bucket = host.Index.Collect(member.Id.Number, bucket, names);
            looks += 1 + names.Count;
            foreach (UInt128 name in names)
            {
                if (!await AddAsync(page, name, listing.Prefix))
                {
                    answers.Say(to, new KeyValueAnswer(KeyValueStatus.DataAway));
                    return;
                }
            }
        } while (bucket != 0 && page.Keys < listing.Ask.Most && page.Writer.Length < MostBytes && looks < MostLooks);

        if (member.State.IsDropped || member.State.Epoch != epoch)
        {
            // What was there may have gone meanwhile.
            answers.Refuse(to, pause);
            return;
        }

        var next = new WireWriter();
        new ListAsk(member.Id.Number, bucket, hasher.Name).Write(next);
        var answer = new KeyValueAnswer(KeyValueStatus.Done, Length: page.Keys);
        answers.Say(to, answer, next.Written, page.Writer.Written.ToArray());
    }

    // False: it cannot be read.
    private async ValueTask<bool> AddAsync(Page page, UInt128 name, byte[] prefix)
    {
        while (page.Host.Index.TryGet(page.Group.Number, name, out IndexEntry entry) && !entry.IsDeleted)
        {
            ReadOnlyMemory<byte>? key = await page.Reader.ReadAsync(entry.Location);
            if (key is { } read && hasher.Of(page.Group.Table, read.Span) == name)
            {
                if (read.Span.StartsWith(prefix))
                {
                    ListedFormat.Write(page.Writer, read.Span, entry.Version, entry.Length);
                    page.Keys++;
                }

                return true;
            }

            bool isThere = page.Host.Index.TryGet(page.Group.Number, name, out IndexEntry now);
            if (isThere && now.Location == entry.Location)
            {
                return false;
            }
        }

        return true;
    }

    private sealed record Page(MemberHost Host, GroupId Group, KeyReader Reader, WireWriter Writer)
    {
        public int Keys { get; set; }
    }
}
