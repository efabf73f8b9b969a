"""`manage.py rebuild_ratings [--check]`"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.models import RatingRow
from tournaments.services.ratings import MOST_TOLD, ratings_rebuild


class Command(BaseCommand):
    help = "Fold all ratings again from the closed rounds. With --check nothing is written; exit 1 if a row differs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="only compare")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        differences = ratings_rebuild(check=check)
        for each in differences[:MOST_TOLD]:
            self.stdout.write(str(each))
        if differences and check:
            raise CommandError(f"{len(differences)} rating rows differ: run it without --check to mend them")
        count = RatingRow.objects.count()
        self.stdout.write(f"{count} rating rows, {len(differences)} {'differ' if check else 'mended'}")
